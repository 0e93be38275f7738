/** The `SshKey` application: the SSH public key server. Here are its settings, its data and the administration of keys. */
import { application } from '../table/application.ts';
import { sshkeyMethods } from './methods.ts';
import { sshkeySettings } from './settings.ts';

export const sshkey = application({
  name: 'SshKey',
  service: 'sshkey',
  publicData: ['PublicKey', 'KeyType', 'KeyExpires', 'KeySessions'],
  settings: sshkeySettings,
  methods: sshkeyMethods,
  operations: {},
});
