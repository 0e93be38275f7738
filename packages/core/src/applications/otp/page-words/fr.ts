import type { OtpWords } from './en.ts';

/** French. */
export const fr: OtpWords = {
  confirmTitle: 'Confirmer un fichier',
  confirmAsks: '{issuer} vous demande de confirmer ce fichier.',
  confirm: 'Confirmer',
  signTitle: 'Signer un fichier',
  signAsks: '{issuer} vous demande de signer ce fichier.',
  sign: 'Signer',
  refuse: 'Refuser',
  seeFile: 'Voir le fichier',
  thanks: 'Merci',
  refused: 'Refusé',
  taken: 'Votre réponse a été prise en compte. Vous pouvez fermer cette page.',
  overTitle: 'Indisponible',
  answerOver:
    'Cela a reçu une réponse, est terminé ou n’a jamais été demandé. Si vous voulez encore répondre, adressez-vous à qui vous a envoyé le lien.',
  tokenTitle: 'Confirmer votre jeton',
  enterCode: 'Saisissez le code que votre application d’authentification affiche maintenant.',
  code: 'Code',
  pinHint: 'Celui de ce code QR.',
  wrongCode: 'Le code n’était pas juste. Veuillez réessayer.',
  wrongEither: 'Le code ou le PIN n’était pas juste. Veuillez réessayer.',
  tokenConfirmed: 'Jeton confirmé',
  tokenDone:
    'Votre application d’authentification est prête. Pour vous connecter, attendez son prochain code : celui-ci a servi.',
  mayClose: 'Vous pouvez fermer cette page.',
  laterTitle: 'Impossible pour le moment',
  later:
    'Votre code était juste, mais le serveur ne peut pas garder votre jeton pour le moment. Veuillez le dire à votre administrateur. Le code QR reste valable pendant sa durée.',
  registrationOver:
    'Cet enregistrement est terminé ou n’a jamais commencé. Si votre application n’est pas encore prête, demandez un nouveau code QR.',
};
