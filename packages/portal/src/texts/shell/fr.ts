import type { TextsOf } from '../text.ts';
import type { en } from './en.ts';

export default {
  portal: 'Portail d’administration',
  selfService: 'Libre-service',
  skip: 'Aller au contenu',
  navigation: 'Pages',
  people: 'Personnes',
  directory: 'Annuaire',
  configuration: 'Configuration',
  many: 'Traitement groupé',
  explorer: 'Interface Remote Manager',
  language: 'Langue',
  theme: 'Clair ou sombre',
  themeSystem: 'Comme l’appareil',
  themeLight: 'Clair',
  themeDark: 'Sombre',
  account: 'Connecté en tant que {name}',
  signOut: 'Se déconnecter',
  signedOut: 'Vous êtes déconnecté.',
  passwordAlone:
    'Vous êtes connecté avec un mot de passe seulement. Avec {setting} dans la configuration, le portail demande un second facteur.',
  sessionOver: 'Votre session est terminée. Veuillez vous reconnecter.',
  broken: 'Cette page a rencontré une erreur.',
  brokenMore:
    'Rien n’a été modifié. Rechargez la page ; si l’erreur persiste, prévenez l’exploitant de cette installation.',
  reload: 'Recharger',
  notFound: 'Cette page n’existe pas.',
  toStart: 'Vers la page d’accueil',
} satisfies TextsOf<typeof en>;
