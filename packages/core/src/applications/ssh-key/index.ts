/** The application `SshKey`: the SSH public key server, and the administration of keys. */
import { application } from '../../table/application.ts';
import { sshkeyMethods } from './methods.ts';
import { sshkeyOperations } from './operations.ts';
import { partFamily, recordingFamily } from './recording/recording.ts';
import { sessionFamily } from './session/session.ts';
import { sshkeySettings } from './settings.ts';

export const sshkey = application({
  name: 'SshKey',
  service: 'sshkey',
  supportsDryRun: true,
  refusesWithAllFields: true,
  publicData: ['PublicKey', 'KeyType', 'KeyExpires', 'KeySessions'],
  sealedFamilies: [recordingFamily, partFamily],
  underWay: [sessionFamily],
  settings: sshkeySettings,
  methods: sshkeyMethods,
  operations: sshkeyOperations,
});
