import type { Texts } from '../../table/message-texts.ts';

/** German. */
export const de: Texts = {
  code_sms: 'Ihr Anmeldecode ist {code}. Er gilt {minutes} Min.',
  code_mail_subject: 'Ihr Anmeldecode',
  code_mail: `Guten Tag {user},

Ihr Anmeldecode ist {code}. Er gilt {minutes} Min, und nur für die Anmeldung, die Sie gerade begonnen haben.

Wenn Sie keine Anmeldung begonnen haben, kennt eine andere Person Ihr Passwort oder Ihren Namen. Verständigen Sie Ihren Administrator.
`,
  block_mail_subject: 'Ihr Konto ist gesperrt',
  block_mail: `Guten Tag {user},

zu viele Anmeldungen sind fehlgeschlagen. Bis {until} (UTC) ist Ihr Konto für Anmeldungen von unbekannten Orten gesperrt.

Wenn Sie das nicht waren, verständigen Sie Ihren Administrator.
`,
  expiry_mail_subject: 'Ihr Token läuft bald ab',
  expiry_mail: `Guten Tag {user},

das Token, mit dem Sie sich anmelden, läuft am {until} (UTC) ab. Danach können Sie sich nicht mehr damit anmelden.

Bitten Sie Ihren Administrator vorher um ein neues.
`,
  reset_sms: 'Setzen Sie bis {until} (UTC) ein neues Passwort: {link}',
  reset_mail_subject: 'Setzen Sie ein neues Passwort',
  reset_mail: `Guten Tag {user},

{comments}Ihr Link, um ein neues Passwort zu setzen, gilt einmal, bis {until} (UTC):

{link}

Wenn Sie ihn nicht angefordert haben, tun Sie nichts: Ihr Passwort bleibt unverändert.
`,
  registration_sms: 'Registrieren Sie bis {until} (UTC) Ihren zweiten Faktor: {link}',
  registration_mail_subject: 'Registrieren Sie Ihren zweiten Faktor',
  registration_mail: `Guten Tag {user},

{comments}Ihr Link, um Ihren zweiten Faktor zu registrieren, gilt einmal, bis {until} (UTC):

{link}

Geben Sie den Link nicht weiter.
`,
  changed_mail_subject: 'Ihr Passwort wurde geändert',
  changed_mail: `Guten Tag {user},

Ihr Passwort wurde am {at} (UTC) geändert, mit einem Link, der Ihnen geschickt wurde.

Wenn Sie das nicht waren, verständigen Sie sofort Ihren Administrator.
`,
  ask_push_title: 'Bestätigung angefordert',
  ask_push: '{client} bittet Sie, etwas zu bestätigen. Öffnen Sie die App für die Einzelheiten.',
  ask_badge_in: 'Einbuchen bestätigen?',
  ask_badge_out: 'Ausbuchen bestätigen?',
  extern_mail_subject: '{client} bittet Sie um eine Antwort',
  extern_mail: `{client} bittet Sie, bis {until} (UTC) eine Datei anzusehen und sie anzunehmen oder abzulehnen:

{link}

Die Datei hat die SHA-256-Prüfsumme {digest}. Jeder, der den Link hat, kann für Sie antworten: Geben Sie ihn nicht weiter.

Wenn Sie das nicht erwarten, tun Sie nichts.
`,
  certificate_mail_subject: 'Ein Zertifikat von {host} läuft bald ab',
  certificate_mail: `Das Zertifikat des Dienstes {listener} auf {host} läuft am {until} (UTC) ab. Danach verbinden sich Clients nicht mehr.

Zertifikat: {subject}

Ersetzen Sie die Dateien, die certificate und key von {listener} nennen. Der Server übernimmt sie binnen 10 Sekunden.
`,
  certificate_renewal_mail: `Das Zertifikat des Dienstes {listener} auf {host} läuft am {until} (UTC) ab, und der Server konnte es nicht erneuern. Danach verbinden sich Clients nicht mehr.

Zertifikat: {subject}

Im Protokoll des Servers stehen Grund und Abhilfe.
`,
};
