import type { TextsOf } from '../text.ts';
import type { en } from './en.ts';

export default {
  cancel: 'Abbrechen',
  clear: 'Leeren',
  close: 'Schließen',
  copy: 'Kopieren',
  copied: 'Kopiert',
  save: 'Speichern',
  undo: 'Rückgängig',
  undone: 'Rückgängig gemacht',
  missing: 'Bitte ausfüllen.',
  retry: 'Erneut versuchen',
  lost: 'Das lässt sich nicht rückgängig machen. Verloren gehen:',
  loading: 'Wird geladen',
  notifications: 'Meldungen',
  code: 'Code',
  nextCode: 'Nächster Code',
  passwordLength: 'Es hat mindestens {count} Zeichen.|Es hat mindestens {count} Zeichen.',
  passwordComplex:
    'Es hat drei davon: kleine Buchstaben, große Buchstaben, Ziffern, andere Zeichen; und der Name kommt nicht darin vor.',
  passwordCommon: 'Es ist keines der häufigsten Passwörter.',
  passwordHistory: 'Es ist nicht das letzte.|Es ist keines der letzten {count}.',
} satisfies TextsOf<typeof en>;
