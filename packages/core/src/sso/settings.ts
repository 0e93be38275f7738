/** The settings of sessions that web sites share (concepts.md §4). */
import { flagSetting, integerSetting, ordered, settingsOf } from '../table/setting-row.ts';

export const ssoSettings = settingsOf('Sso', {
  SessionTimeout: ordered(
    integerSetting('Seconds for which a session lives.', { min: 1, max: 604_800 }, 3600),
    'smaller',
  ),
  SessionRenew: ordered(flagSetting('A check gives the session its whole time again.', 'Yes'), {
    No: ['Yes'],
  }),
});
