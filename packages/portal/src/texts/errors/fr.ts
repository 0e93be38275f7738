import type { TextsOf } from '../text.ts';
import type { en } from './en.ts';

export default {
  parse_error: 'Le serveur n’a pas compris la demande. Veuillez recharger la page.',
  invalid_request: 'Le serveur n’a pas compris la demande. Veuillez recharger la page.',
  method_not_found: 'Ce serveur ne connaît pas cette demande. Il est peut-être plus ancien que ces pages.',
  invalid_params: 'Une saisie n’est pas acceptée : {data}',
  invalid_dn: 'Ce n’est pas le nom d’une entrée : {data}',
  credentials_refused: 'Le nom, le mot de passe ou le code est incorrect.',
  client_refused: 'Cela n’est pas autorisé depuis votre emplacement.',
  permission_denied: 'Vous n’avez pas le droit de faire cela. {data}',
  not_found: 'L’élément n’existe plus : {data}',
  already_exists: 'L’élément existe déjà : {data}',
  password_refused: 'La politique de mots de passe refuse ce mot de passe. {data}',
  schema_refused: 'L’annuaire refuse : {data}',
  license_refused: 'La licence ne l’autorise pas. {data}',
  value_exists: 'Cette valeur existe déjà.',
  value_missing: 'Cette valeur n’existe plus.',
  too_large: 'C’est trop à la fois. {data}',
  too_many_attempts: 'Trop de tentatives. Veuillez patienter.',
  unavailable: 'L’annuaire ou le stockage est momentanément inaccessible. Veuillez réessayer.',
  network: 'Le serveur est inaccessible. Êtes-vous connecté ?',
  timeout: 'Le serveur a mis trop de temps. La demande a peut-être été exécutée.',
  other: 'Cela n’a pas fonctionné ({reason}). {data}',
} satisfies TextsOf<typeof en>;
