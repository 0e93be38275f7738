/** The settings of SSO sessions. */
import {
  flagSetting,
  integerSetting,
  noAsksMore,
  ordered,
  settingsOf,
  textSetting,
  unsupported,
} from '../../table/setting-row.ts';

export const ssoSettings = settingsOf('Sso', {
  SessionTimeout: ordered(
    integerSetting('Seconds for which a session lives.', { min: 1, max: 604_800 }, 3600),
    'smaller',
  ),
  SessionRenew: ordered(flagSetting('A check gives the session its whole time again.', 'Yes'), noAsksMore),
});

/** Settings of the identity provider, whose sessions are those of `Sso`. */
export const openidSettings = settingsOf('OpenID', {
  SessionTimeout: unsupported(
    integerSetting('Seconds for which a session lives.', { min: 1, max: 604_800 }, 3600),
    'its sessions are those of single sign-on; set Sso.SessionTimeout',
  ),
  ApplicationSSO: unsupported(
    flagSetting('A login is good for all applications.', 'Yes'),
    'a session is good for every application in openid_clients; an application may ask for a new login',
  ),
  AutoConfirm: unsupported(
    flagSetting('No user is asked whether an application may know who they are.', 'Yes'),
    'applications in openid_clients have the consent of who configures them',
  ),
  CloudRoleNames: unsupported(
    textSetting('Roles at another provider that the user has.'),
    'no assertion for another provider is made',
  ),
  CloudSessionTime: unsupported(
    integerSetting('Seconds of a session there.', { min: 1, max: 604_800 }, 3600),
    'no assertion for another provider is made',
  ),
});
