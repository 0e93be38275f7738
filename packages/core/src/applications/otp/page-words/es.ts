import type { OtpWords } from './en.ts';

/** Spanish. */
export const es: OtpWords = {
  confirmTitle: 'Confirmar un archivo',
  confirmAsks: '{issuer} le pide que confirme este archivo.',
  confirm: 'Confirmar',
  signTitle: 'Firmar un archivo',
  signAsks: '{issuer} le pide que firme este archivo.',
  sign: 'Firmar',
  refuse: 'Rechazar',
  seeFile: 'Ver el archivo',
  thanks: 'Gracias',
  refused: 'Rechazado',
  taken: 'Se ha recibido su respuesta. Puede cerrar esta página.',
  overTitle: 'No disponible',
  answerOver:
    'Esto ya se respondió, ha terminado o nunca se pidió. Si aún quiere responder, pregunte a quien le envió el enlace.',
  tokenTitle: 'Confirmar su token',
  enterCode: 'Escriba el código que su aplicación de autenticación muestra ahora.',
  code: 'Código',
  pinHint: 'El de este código QR.',
  wrongCode: 'El código no era correcto. Inténtelo de nuevo.',
  wrongEither: 'El código o el PIN no era correcto. Inténtelo de nuevo.',
  tokenConfirmed: 'Token confirmado',
  tokenDone:
    'Su aplicación de autenticación está lista. Para iniciar sesión, espere su próximo código: este ya se ha usado.',
  mayClose: 'Puede cerrar esta página.',
  laterTitle: 'Ahora no es posible',
  later:
    'Su código era correcto, pero el servidor no puede guardar su token ahora. Avise a su administrador. El código QR sigue siendo válido durante su plazo.',
  registrationOver:
    'Este registro ha terminado o nunca comenzó. Si su aplicación aún no está lista, pida un código QR nuevo.',
};
