/** The `Sso` application: sessions that several web sites share. Here are its settings. */
import { application } from '../table/application.ts';
import { flagSetting, integerSetting, kept, settingsOf } from '../table/setting-row.ts';

export const sso = application({
  name: 'Sso',
  service: 'sso',
  publicData: [],
  settings: settingsOf('Sso', {
    SessionTimeout: kept(
      integerSetting('Seconds for which a session lives.', { min: 1, max: 604_800 }, 3600),
    ),
    SessionRenew: kept(flagSetting('A check gives the session its whole time again.', 'Yes')),
  }),
  methods: {},
  operations: {},
});
