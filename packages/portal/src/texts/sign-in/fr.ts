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
  asksCode: 'Saisissez votre code.',
  asksToken: 'Saisissez le code de votre jeton ou de votre application d’authentification.',
  asksQuestion: 'Saisissez {question} sur votre jeton, puis ici le code qu’il répond.',
  asksList: 'Saisissez le prochain code de votre liste qui n’a pas encore servi.',
  asksSms: 'Saisissez le code envoyé à votre téléphone.',
  asksMail: 'Saisissez le code envoyé par courriel.',
  asksEmergency: 'Saisissez votre code d’urgence.',
  asksKey: 'Utilisez votre clé de sécurité.',
  key: 'Touchez votre clé de sécurité lorsqu’elle clignote.',
  keyAgain: 'Utiliser la clé de sécurité',
  keyRefused:
    'La clé de sécurité n’a pas répondu. Elle n’est peut-être pas enregistrée pour vous, ou le délai est dépassé.',
  keyMissing: 'Ce navigateur ne connaît pas les clés de sécurité.',
  startOver: 'Recommencer',
  left: 'Vous êtes déconnecté.',
  over: 'Votre session est terminée. Veuillez vous reconnecter.',
  unreachable: 'Le serveur est inaccessible. Êtes-vous connecté ?',
  waiting: 'Vous pourrez réessayer dans {count} seconde.|Vous pourrez réessayer dans {count} secondes.',
  timeLeft: '{count} seconde restante|{count} secondes restantes',
  tooLate: 'Le délai de réponse est dépassé. Veuillez recommencer.',
  refused: 'C’est incorrect, ou vous n’êtes pas administrateur ici.',
  certificate: 'Votre navigateur a présenté un certificat.',
  noCertificate: 'Ce portail exige un certificat client, et votre navigateur n’en a présenté aucun.',
  chooseCertificate:
    'Choisissez le vôtre lorsque le navigateur le demande. Il ne le demande qu’une fois : si vous l’avez ignoré, fermez toutes ses fenêtres et revenez. S’il ne demande rien, le certificat n’y est pas installé ; l’administrateur de cette installation en signe un.',
  unfitCertificate:
    'Votre navigateur a présenté un certificat qui n’est pas accepté ici : il vient d’une autre autorité ou n’est plus valable.',
  otherCertificate:
    'Fermez toutes les fenêtres du navigateur, revenez et choisissez celui que cette installation a signé pour vous.',
  lookAgain: 'Vérifier à nouveau',
  refusedWithCertificate:
    'Le mot de passe est incorrect, ou le certificat n’est pas celui d’un administrateur ici.',
} satisfies TextsOf<typeof en>;
