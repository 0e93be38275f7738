import type { Texts } from '../../table/message-texts.ts';

/** English texts. */
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
  reset_sms: 'Set a new password until {until} (UTC): {link}',
  reset_mail_subject: 'Set a new password',
  reset_mail: `Hello {user},

{comments}by this link you set a new password. It is good once, until {until} (UTC):

{link}

If you have not asked for it, do nothing: your password stays as it is.
`,
  registration_sms: 'Register what you log in with until {until} (UTC): {link}',
  registration_mail_subject: 'Register what you log in with',
  registration_mail: `Hello {user},

{comments}by this link you register what you log in with beside your password. It is good once, until {until} (UTC):

{link}

Give the link to nobody.
`,
  changed_mail_subject: 'Your password was changed',
  changed_mail: `Hello {user},

your password was changed at {until} (UTC), by a link that was sent to you.

If that was not you, tell your administrator at once.
`,
  ask_push_title: 'Your confirmation is asked for',
  ask_push: '{client} asks you to confirm something. Open the app to see what.',
  ask_badge_in: 'Do you badge in now?',
  ask_badge_out: 'Do you badge out now?',
  extern_mail_subject: '{client} asks you for an answer',
  extern_mail: `{client} asks you to look at a file, and to say yes or no to it, until {until} (UTC):

{link}

The file has the SHA-256 {digest}. Whoever has the link can answer for you: give it to nobody.

If you do not expect this, do nothing.
`,
};
