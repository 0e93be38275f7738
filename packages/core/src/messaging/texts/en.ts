import type { Texts } from '../../table/message-texts.ts';

/** English texts. */
export const en: Texts = {
  code_sms: 'Your login code is {code}. It is valid for {minutes} min.',
  code_mail_subject: 'Your login code',
  code_mail: `Hello {user},

Your login code is {code}. It is valid for {minutes} min, and only for the login that you have just started.

If you have not started a login, another person knows your password or your user name. Contact your administrator.
`,
  block_mail_subject: 'Your account is blocked',
  block_mail: `Hello {user},

Too many logins have failed. Until {until} (UTC), your account is blocked for logins from unknown places.

If that was not you, contact your administrator.
`,
  expiry_mail_subject: 'Your token expires soon',
  expiry_mail: `Hello {user},

The token that you log in with expires at {until} (UTC). After that, you can no longer log in with it.

Ask your administrator for a new one before that date.
`,
  reset_sms: 'Set a new password before {until} (UTC): {link}',
  reset_mail_subject: 'Set a new password',
  reset_mail: `Hello {user},

{comments}With this link you can set a new password. It is valid once, until {until} (UTC):

{link}

If you have not requested it, do nothing: your password stays the same.
`,
  registration_sms: 'Register your second factor before {until} (UTC): {link}',
  registration_mail_subject: 'Register your second factor',
  registration_mail: `Hello {user},

{comments}With this link you can register your second factor. It is valid once, until {until} (UTC):

{link}

Do not share the link with anybody.
`,
  changed_mail_subject: 'Your password was changed',
  changed_mail: `Hello {user},

Your password was changed at {at} (UTC), with a link that was sent to you.

If that was not you, contact your administrator immediately.
`,
  ask_push_title: 'Confirmation requested',
  ask_push: '{client} asks you to confirm something. Open the app to see the details.',
  ask_badge_in: 'Confirm badging in?',
  ask_badge_out: 'Confirm badging out?',
  extern_mail_subject: '{client} asks you for an answer',
  extern_mail: `{client} asks you to view a file, and to accept or reject it, before {until} (UTC):

{link}

The file has the SHA-256 {digest}. Anybody who has the link can answer for you: do not share it.

If you do not expect this, do nothing.
`,
  certificate_mail_subject: 'A certificate of {host} ends soon',
  certificate_mail: `The certificate of the listener {listener} on {host} ends at {until} (UTC). After that, clients refuse to connect.

Certificate: {subject}

Replace the files that certificate and key of {listener} name. The server takes them within 10 seconds.
`,
  certificate_renewal_mail: `The certificate of the listener {listener} on {host} ends at {until} (UTC), and the server has not been able to renew it. After that, clients refuse to connect.

Certificate: {subject}

The log of the server has the reason and the cure.
`,
};
