import type { TextsOf } from '../text.ts';
import type { en } from './en.ts';

export default {
  parse_error: 'Der Server hat die Anfrage nicht verstanden. Bitte laden Sie die Seite neu.',
  invalid_request: 'Der Server hat die Anfrage nicht verstanden. Bitte laden Sie die Seite neu.',
  method_not_found: 'Dieser Server kennt die Anfrage nicht. Vielleicht ist er älter als diese Seiten.',
  invalid_params: 'Eine Eingabe wird nicht angenommen: {data}',
  invalid_dn: 'Das ist kein Name eines Eintrags: {data}',
  credentials_refused: 'Name, Passwort oder Code sind nicht richtig.',
  client_refused: 'Von hier aus ist das nicht erlaubt.',
  permission_denied: 'Das dürfen Sie nicht. {data}',
  not_found: 'Das gibt es nicht mehr: {data}',
  already_exists: 'Das gibt es schon: {data}',
  password_refused: 'Die Passwortrichtlinie lehnt dieses Passwort ab. {data}',
  schema_refused: 'Das Verzeichnis lehnt es ab: {data}',
  license_refused: 'Die Lizenz erlaubt es nicht. {data}',
  value_exists: 'Diesen Wert gibt es schon.',
  value_missing: 'Diesen Wert gibt es nicht mehr.',
  too_large: 'Das ist zu viel auf einmal. {data}',
  too_many_attempts: 'Zu viele Versuche. Bitte warten Sie.',
  unavailable:
    'Das Verzeichnis oder der Speicher ist zurzeit nicht erreichbar. Bitte versuchen Sie es erneut.',
  network: 'Der Server ist nicht erreichbar. Sind Sie verbunden?',
  timeout: 'Der Server hat zu lange gebraucht. Vielleicht ist es trotzdem geschehen.',
  cancelled: 'Es wurde nichts geändert.',
  insufficient_user_authentication: 'Ihr letzter zweiter Faktor liegt zu lange zurück.',
  device_known: 'Dieser Sicherheitsschlüssel ist schon registriert.',
  device_silent: 'Der Sicherheitsschlüssel hat nicht geantwortet, oder Sie haben abgebrochen.',
  other: 'Das hat nicht funktioniert ({reason}). {data}',
} satisfies TextsOf<typeof en>;
