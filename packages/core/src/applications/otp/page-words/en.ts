/** English texts of the pages for links to files and new tokens; the type that all languages implement. */
export const en = {
  confirmTitle: 'Confirm a file',
  confirmAsks: '{issuer} asks you to confirm this file.',
  confirm: 'Confirm',
  signTitle: 'Sign a file',
  signAsks: '{issuer} asks you to sign this file.',
  sign: 'Sign',
  refuse: 'Refuse',
  seeFile: 'See the file',
  thanks: 'Thank you',
  refused: 'Refused',
  taken: 'Your answer was taken. You can close this page.',
  overTitle: 'Not available',
  answerOver:
    'This was answered, is over, or was never asked. If you still want to answer, ask whoever sent you the link.',
  tokenTitle: 'Confirm your token',
  enterCode: 'Enter the code that your authenticator app shows now.',
  code: 'Code',
  pinHint: 'The one for this QR code.',
  wrongCode: 'The code was not right. Please try again.',
  wrongEither: 'The code or the PIN was not right. Please try again.',
  tokenConfirmed: 'Token confirmed',
  tokenDone: 'Your authenticator app is set up. To log in, wait for its next code: this one is used up.',
  mayClose: 'You can close this page.',
  laterTitle: 'Not possible now',
  later:
    'Your code was right, but the server cannot keep your token now. Please tell your administrator. The QR code stays good for its time.',
  registrationOver:
    'This registration is over or was never started. If your app is not set up yet, ask for a new QR code.',
};

export type OtpWords = typeof en;
