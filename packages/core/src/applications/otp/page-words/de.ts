import type { OtpWords } from './en.ts';

/** German. */
export const de: OtpWords = {
  confirmTitle: 'Datei bestätigen',
  confirmAsks: '{issuer} bittet Sie, diese Datei zu bestätigen.',
  confirm: 'Bestätigen',
  signTitle: 'Datei unterschreiben',
  signAsks: '{issuer} bittet Sie, diese Datei zu unterschreiben.',
  sign: 'Unterschreiben',
  refuse: 'Ablehnen',
  seeFile: 'Datei ansehen',
  thanks: 'Vielen Dank',
  refused: 'Abgelehnt',
  taken: 'Ihre Antwort ist angekommen. Sie können diese Seite schließen.',
  overTitle: 'Nicht verfügbar',
  answerOver:
    'Das ist beantwortet, abgelaufen oder wurde nie gefragt. Wenn Sie noch antworten wollen, wenden Sie sich an den, der Ihnen den Link geschickt hat.',
  tokenTitle: 'Token bestätigen',
  enterCode: 'Geben Sie den Code ein, den Ihre Authenticator-App jetzt zeigt.',
  code: 'Code',
  pinHint: 'Die für diesen QR-Code.',
  wrongCode: 'Der Code war nicht richtig. Bitte versuchen Sie es noch einmal.',
  wrongEither: 'Der Code oder die PIN war nicht richtig. Bitte versuchen Sie es noch einmal.',
  tokenConfirmed: 'Token bestätigt',
  tokenDone:
    'Ihre Authenticator-App ist eingerichtet. Warten Sie zum Anmelden auf ihren nächsten Code: dieser ist verbraucht.',
  mayClose: 'Sie können diese Seite schließen.',
  laterTitle: 'Jetzt nicht möglich',
  later:
    'Ihr Code war richtig, aber der Server kann Ihr Token gerade nicht speichern. Bitte sagen Sie es Ihrem Administrator. Der QR-Code gilt weiter, solange seine Zeit läuft.',
  registrationOver:
    'Diese Registrierung ist abgelaufen oder wurde nie begonnen. Wenn Ihre App noch nicht eingerichtet ist, bitten Sie um einen neuen QR-Code.',
};
