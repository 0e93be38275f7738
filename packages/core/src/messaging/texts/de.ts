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
  reset_sms: 'Setzen Sie bis {until} (UTC) ein neues Passwort: {link}',
  reset_mail_subject: 'Setzen Sie ein neues Passwort',
  reset_mail: `Guten Tag {user},

{comments}mit diesem Link setzen Sie ein neues Passwort. Er gilt einmal, bis {until} (UTC):

{link}

Wenn Sie ihn nicht angefordert haben, tun Sie nichts: Ihr Passwort bleibt, wie es ist.
`,
  registration_sms: 'Registrieren Sie bis {until} (UTC), womit Sie sich anmelden: {link}',
  registration_mail_subject: 'Registrieren Sie, womit Sie sich anmelden',
  registration_mail: `Guten Tag {user},

{comments}mit diesem Link registrieren Sie, womit Sie sich neben dem Passwort anmelden. Er gilt einmal, bis {until} (UTC):

{link}

Geben Sie den Link niemandem.
`,
  changed_mail_subject: 'Ihr Passwort wurde geändert',
  changed_mail: `Guten Tag {user},

Ihr Passwort wurde am {until} (UTC) geändert, mit einem Link, der Ihnen geschickt wurde.

Wenn Sie das nicht waren, sagen Sie es sofort Ihrem Administrator.
`,
  ask_push_title: 'Ihre Bestätigung ist gefragt',
  ask_push: '{client} bittet Sie, etwas zu bestätigen. Öffnen Sie die App, um zu sehen, was.',
  ask_badge_in: 'Buchen Sie sich jetzt ein?',
  ask_badge_out: 'Buchen Sie sich jetzt aus?',
  extern_mail_subject: '{client} bittet Sie um eine Antwort',
  extern_mail: `{client} bittet Sie, bis {until} (UTC) eine Datei anzusehen und ihr zuzustimmen oder nicht:

{link}

Die Datei hat die SHA-256-Prüfsumme {digest}. Wer den Link hat, kann für Sie antworten: Geben Sie ihn niemandem.

Wenn Sie das nicht erwarten, tun Sie nichts.
`,
};
