import type { TextsOf } from '../text.ts';
import type { en } from './en.ts';

export default {
  cancel: 'Annuler',
  clear: 'Effacer',
  close: 'Fermer',
  copy: 'Copier',
  copied: 'Copié',
  save: 'Enregistrer',
  undo: 'Annuler l’action',
  undone: 'Action annulée',
  missing: 'Veuillez remplir ce champ.',
  retry: 'Réessayer',
  lost: 'Cette action est irréversible. Seront perdus :',
  loading: 'Chargement',
  notifications: 'Messages',
} satisfies TextsOf<typeof en>;
