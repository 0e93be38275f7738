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
  code: 'Code',
  nextCode: 'Code suivant',
  passwordLength: 'Il a au moins {count} caractère.|Il a au moins {count} caractères.',
  passwordComplex:
    'Il a trois de ces sortes : minuscules, majuscules, chiffres, autres caractères ; et ne contient pas le nom.',
  passwordCommon: 'Il n’est pas l’un des mots de passe les plus courants.',
  passwordHistory: 'Ce n’est pas le dernier.|Ce n’est aucun des {count} derniers.',
} satisfies TextsOf<typeof en>;
