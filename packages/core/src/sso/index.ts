/** The `Sso` application: sessions that several web sites share. Here are its settings. */
import { application, flagSetting, integerSetting } from '../application.ts';

export const sso = application({
  name: 'Sso',
  service: 'sso',
  publicData: [],
  settings: {
    SessionTimeout: integerSetting('Seconds for which a session lives.', 3600),
    SessionRenew: flagSetting('A check gives the session its whole time again.', 'Yes'),
  },
  methods: {},
  operations: {},
});
