import type { TextsOf } from '../text.ts';
import type { en } from './en.ts';

export default {
  portal: 'Portal de administración',
  selfService: 'Autoservicio',
  skip: 'Ir al contenido',
  navigation: 'Páginas',
  people: 'Personas',
  directory: 'Directorio',
  configuration: 'Configuración',
  many: 'Varios a la vez',
  explorer: 'Interfaz Remote Manager',
  language: 'Idioma',
  theme: 'Claro u oscuro',
  themeSystem: 'Como el dispositivo',
  themeLight: 'Claro',
  themeDark: 'Oscuro',
  account: 'Sesión iniciada como {name}',
  signOut: 'Cerrar sesión',
  signedOut: 'Ha cerrado la sesión.',
  passwordAlone:
    'Ha iniciado sesión solo con una contraseña. Con {setting} en la configuración, el portal pide un segundo factor.',
  sessionOver: 'Su sesión ha terminado. Vuelva a iniciar sesión.',
  broken: 'Esta página ha fallado.',
  brokenMore:
    'No se ha cambiado nada. Vuelva a cargar la página; si falla de nuevo, avise a quien gestiona esta instalación.',
  reload: 'Volver a cargar',
  notFound: 'Esa página no existe.',
  toStart: 'A la página de inicio',
} satisfies TextsOf<typeof en>;
