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
  noCertificate:
    'Este portal exige un certificado de cliente. Su navegador no ha presentado ninguno: elija uno cuando lo pida o haga que se lo instalen.',
} satisfies TextsOf<typeof en>;
