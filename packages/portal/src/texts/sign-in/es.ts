import type { TextsOf } from '../text.ts';
import type { en } from './en.ts';

export default {
  username: 'Nombre de usuario',
  dn: 'DN del administrador',
  domain: 'Dominio',
  domainMore: 'Déjelo vacío para el habitual.',
  password: 'Contraseña',
  otp: 'Código',
  otpMore: 'De su token. Si lo deja vacío, se le pedirá.',
  signIn: 'Iniciar sesión',
  answer: 'Continuar',
  code: 'Código',
  key: 'Toque su llave de seguridad cuando parpadee.',
  keyAgain: 'Usar la llave de seguridad',
  keyRefused: 'La llave de seguridad no respondió. Quizá no esté registrada para usted o tardó demasiado.',
  keyMissing: 'Este navegador no conoce las llaves de seguridad.',
  startOver: 'Empezar de nuevo',
  left: 'Ha cerrado la sesión.',
  over: 'Su sesión ha terminado. Vuelva a iniciar sesión.',
  unreachable: 'No se puede acceder al servidor. ¿Tiene conexión?',
  missing: 'Rellene este campo.',
  waiting: 'Podrá intentarlo de nuevo en {count} segundo.|Podrá intentarlo de nuevo en {count} segundos.',
  timeLeft: 'queda {count} segundo|quedan {count} segundos',
  tooLate: 'Se acabó el tiempo para responder. Empiece de nuevo.',
  refused: 'No es correcto, o no es administrador aquí.',
  certificate: 'Su navegador ha presentado un certificado.',
  noCertificate: 'Este portal exige un certificado de cliente, y su navegador no ha presentado ninguno.',
  chooseCertificate:
    'Elija el suyo cuando el navegador lo pida. Lo pide una vez: si lo pasó por alto, cierre todas sus ventanas y vuelva. Si no lo pide, el certificado no está instalado en él; quien administra esta instalación firma uno.',
  unfitCertificate:
    'Su navegador ha presentado un certificado que aquí no se acepta: es de otra autoridad o ha caducado.',
  otherCertificate:
    'Cierre todas las ventanas del navegador, vuelva y elija el que esta instalación ha firmado para usted.',
  lookAgain: 'Mirar de nuevo',
  refusedWithCertificate: 'La contraseña no es correcta, o el certificado no es de un administrador de aquí.',
} satisfies TextsOf<typeof en>;
