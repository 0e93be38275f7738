/** The settings of sessions that web sites share (concepts.md §4). */
import { flagSetting, integerSetting, kept, ordered, settingsOf, textSetting } from '../table/setting-row.ts';

export const ssoSettings = settingsOf('Sso', {
  SessionTimeout: ordered(
    integerSetting('Seconds for which a session lives.', { min: 1, max: 604_800 }, 3600),
    'smaller',
  ),
  SessionRenew: ordered(flagSetting('A check gives the session its whole time again.', 'Yes'), {
    No: ['Yes'],
  }),
});

/** Of the identity provider (catalogue.md §5): its sessions are those of `Sso`. */
export const openidSettings = settingsOf('OpenID', {
  SessionTimeout: kept(integerSetting('Seconds for which a session lives.', { min: 1, max: 604_800 }, 3600)),
  ApplicationSSO: kept(flagSetting('A login is good for all applications.', 'Yes')),
  AutoConfirm: kept(flagSetting('Nobody is asked whether an application may know who they are.', 'Yes')),
  CloudRoleNames: kept(textSetting('Roles at another firm that the user has.')),
  CloudSessionTime: kept(integerSetting('Seconds of a session there.', { min: 1, max: 604_800 }, 3600)),
});
