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
} satisfies TextsOf<typeof en>;
