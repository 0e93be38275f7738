import type { TextsOf } from '../text.ts';
import type { en } from './en.ts';

export default {
  username: 'Benutzername',
  dn: 'DN des Administrators',
  domain: 'Domäne',
  domainMore: 'Für die übliche leer lassen.',
  password: 'Passwort',
  otp: 'Code',
  otpMore: 'Von Ihrem Token. Bleibt er leer, werden Sie danach gefragt.',
  signIn: 'Anmelden',
  answer: 'Weiter',
  code: 'Code',
  asksCode: 'Geben Sie Ihren Code ein.',
  asksToken: 'Geben Sie den Code Ihres Tokens oder Ihrer Authenticator-App ein.',
  asksQuestion: 'Geben Sie {question} in Ihr Token ein und hier den Code, den es antwortet.',
  asksList: 'Geben Sie den nächsten Code Ihrer Liste ein, den Sie noch nicht verwendet haben.',
  asksSms: 'Geben Sie den Code ein, der an Ihr Telefon geschickt wurde.',
  asksMail: 'Geben Sie den Code ein, der Ihnen gemailt wurde.',
  asksEmergency: 'Geben Sie Ihren Notfallcode ein.',
  asksKey: 'Verwenden Sie Ihren Sicherheitsschlüssel.',
  key: 'Berühren Sie Ihren Sicherheitsschlüssel, wenn er blinkt.',
  keyAgain: 'Sicherheitsschlüssel verwenden',
  keyRefused:
    'Der Sicherheitsschlüssel hat nicht geantwortet. Vielleicht ist er nicht für Sie registriert, oder es hat zu lange gedauert.',
  keyMissing: 'Dieser Browser kennt keine Sicherheitsschlüssel.',
  startOver: 'Von vorn beginnen',
  left: 'Sie sind abgemeldet.',
  over: 'Ihre Sitzung ist zu Ende. Bitte melden Sie sich erneut an.',
  unreachable: 'Der Server ist nicht erreichbar. Sind Sie verbunden?',
  waiting:
    'In {count} Sekunde können Sie es erneut versuchen.|In {count} Sekunden können Sie es erneut versuchen.',
  timeLeft: 'noch {count} Sekunde|noch {count} Sekunden',
  tooLate: 'Die Zeit für die Antwort ist um. Bitte beginnen Sie von vorn.',
  refused: 'Das ist nicht richtig, oder Sie sind hier kein Administrator.',
  certificate: 'Ihr Browser hat ein Zertifikat gezeigt.',
  noCertificate: 'Dieses Portal verlangt ein Client-Zertifikat, und Ihr Browser hat keines gezeigt.',
  chooseCertificate:
    'Wählen Sie Ihres, wenn der Browser fragt. Er fragt einmal: Haben Sie es übergangen, schließen Sie alle Fenster des Browsers und kommen Sie wieder. Fragt er nicht, ist das Zertifikat nicht in ihm eingerichtet; wer diese Installation verwaltet, stellt eines aus.',
  unfitCertificate:
    'Ihr Browser hat ein Zertifikat gezeigt, das hier nicht gilt: Es ist von einer anderen Stelle oder abgelaufen.',
  otherCertificate:
    'Schließen Sie alle Fenster des Browsers, kommen Sie wieder und wählen Sie das, das diese Installation für Sie ausgestellt hat.',
  lookAgain: 'Noch einmal nachsehen',
  refusedWithCertificate:
    'Das Passwort ist nicht richtig, oder das Zertifikat ist nicht das eines Administrators hier.',
} satisfies TextsOf<typeof en>;
