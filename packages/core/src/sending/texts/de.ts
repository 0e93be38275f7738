import type { Texts } from '../../table/message-texts.ts';

/** German. */
export const de: Texts = {
  code_sms: 'Ihr Anmeldecode ist {code}. Er gilt {minutes} Min.',
  code_mail_subject: 'Ihr Anmeldecode',
  code_mail: `Guten Tag {user},

Ihr Anmeldecode ist {code}. Er gilt {minutes} Min, und nur für die Anmeldung, die Sie gerade begonnen haben.

Wenn Sie keine Anmeldung begonnen haben, kennt jemand anders Ihr Passwort oder Ihren Namen. Sagen Sie es Ihrem Administrator.
`,
  block_mail_subject: 'Ihr Konto ist gesperrt',
  block_mail: `Guten Tag {user},

zu viele Anmeldungen sind fehlgeschlagen. Bis {until} (UTC) ist Ihr Konto für Anmeldungen von unbekannten Orten gesperrt.

Wenn Sie das nicht waren, sagen Sie es Ihrem Administrator.
`,
  expiry_mail_subject: 'Ihr Token läuft bald ab',
  expiry_mail: `Guten Tag {user},

das Token, mit dem Sie sich anmelden, läuft am {until} (UTC) ab. Danach können Sie sich nicht mehr damit anmelden.

Bitten Sie Ihren Administrator vorher um ein neues.
`,
  ask_push_title: 'Ihre Bestätigung ist gefragt',
  ask_push: '{client} bittet Sie, etwas zu bestätigen. Öffnen Sie die App, um zu sehen, was.',
  ask_badge_in: 'Buchen Sie sich jetzt ein?',
  ask_badge_out: 'Buchen Sie sich jetzt aus?',
};
