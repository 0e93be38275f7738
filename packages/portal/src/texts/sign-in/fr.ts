import type { TextsOf } from '../text.ts';
import type { en } from './en.ts';

export default {
  username: 'Nom d’utilisateur',
  dn: 'DN de l’administrateur',
  domain: 'Domaine',
  domainMore: 'Laissez vide pour le domaine habituel.',
  password: 'Mot de passe',
  otp: 'Code',
  otpMore: 'De votre jeton. Laissé vide, il vous sera demandé.',
  signIn: 'Se connecter',
  answer: 'Continuer',
  code: 'Code',
  key: 'Touchez votre clé de sécurité lorsqu’elle clignote.',
  keyAgain: 'Utiliser la clé de sécurité',
  keyRefused:
    'La clé de sécurité n’a pas répondu. Elle n’est peut-être pas enregistrée pour vous, ou le délai est dépassé.',
  keyMissing: 'Ce navigateur ne connaît pas les clés de sécurité.',
  startOver: 'Recommencer',
  left: 'Vous êtes déconnecté.',
  over: 'Votre session est terminée. Veuillez vous reconnecter.',
  unreachable: 'Le serveur est inaccessible. Êtes-vous connecté ?',
  missing: 'Veuillez remplir ce champ.',
  waiting: 'Vous pourrez réessayer dans {count} seconde.|Vous pourrez réessayer dans {count} secondes.',
  timeLeft: '{count} seconde restante|{count} secondes restantes',
  tooLate: 'Le délai de réponse est dépassé. Veuillez recommencer.',
  refused: 'C’est incorrect, ou vous n’êtes pas administrateur ici.',
  certificate: 'Votre navigateur a présenté un certificat.',
  noCertificate:
    'Ce portail exige un certificat client. Votre navigateur n’en a présenté aucun : choisissez-en un lorsqu’il le demande, ou faites-en installer un.',
} satisfies TextsOf<typeof en>;
