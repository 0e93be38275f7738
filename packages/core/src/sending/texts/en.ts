import type { Texts } from '../../table/message-texts.ts';

/** English. */
export const en: Texts = {
  code_sms: 'Your login code is {code}. It is good for {minutes} min.',
  code_mail_subject: 'Your login code',
  code_mail: `Hello {user},

your login code is {code}. It is good for {minutes} min, and only for the login that you have just begun.

If you have not begun a login, somebody else knows your password or your name. Tell your administrator.
`,
  block_mail_subject: 'Your account is blocked',
  block_mail: `Hello {user},

too many logins have failed. Until {until} (UTC) your account is blocked for logins from places that it does not know.

If that was not you, tell your administrator.
`,
  expiry_mail_subject: 'Your token expires soon',
  expiry_mail: `Hello {user},

the token that you log in with expires at {until} (UTC). It logs you in no more then.

Ask your administrator for a new one before.
`,
  ask_push_title: 'Your confirmation is asked for',
  ask_push: '{client} asks you to confirm something. Open the app to see what.',
  ask_badge_in: 'Do you badge in now?',
  ask_badge_out: 'Do you badge out now?',
};
