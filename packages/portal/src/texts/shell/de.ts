import type { TextsOf } from '../text.ts';
import type { en } from './en.ts';

export default {
  portal: 'Admin-Portal',
  selfService: 'Selbstbedienung',
  skip: 'Zum Inhalt springen',
  navigation: 'Seiten',
  people: 'Personen',
  directory: 'Verzeichnis',
  configuration: 'Konfiguration',
  many: 'Viele auf einmal',
  explorer: 'Remote-Manager-Schnittstelle',
  language: 'Sprache',
  theme: 'Hell oder dunkel',
  themeSystem: 'Wie das Gerät',
  themeLight: 'Hell',
  themeDark: 'Dunkel',
  account: 'Angemeldet als {name}',
  signOut: 'Abmelden',
  signedOut: 'Sie sind abgemeldet.',
  passwordAlone:
    'Sie sind nur mit einem Passwort angemeldet. Mit {setting} in der Konfiguration fragt das Portal nach einem zweiten Faktor.',
  sessionOver: 'Ihre Sitzung ist zu Ende. Bitte melden Sie sich erneut an.',
  broken: 'Auf dieser Seite ist ein Fehler aufgetreten.',
  brokenMore:
    'Dadurch wurde nichts geändert. Laden Sie die Seite neu; tritt der Fehler wieder auf, wenden Sie sich an den Betreiber.',
  reload: 'Neu laden',
  notFound: 'Diese Seite gibt es nicht.',
  toStart: 'Zur Startseite',
} satisfies TextsOf<typeof en>;
