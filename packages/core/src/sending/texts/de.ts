import type { Texts } from '../../table/message-texts.ts';

/** German. */
export const de: Texts = {
  code_sms: 'Ihr Anmeldecode ist {code}. Er gilt {minutes} Minuten.',
  code_mail_subject: 'Ihr Anmeldecode',
  code_mail: `Guten Tag {user},

Ihr Anmeldecode ist {code}. Er gilt {minutes} Minuten, und nur für die Anmeldung, die Sie gerade begonnen haben.

Wenn Sie keine Anmeldung begonnen haben, kennt jemand anders Ihr Passwort oder Ihren Namen. Sagen Sie es Ihrem Administrator.
`,
};
