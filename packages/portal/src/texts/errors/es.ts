import type { TextsOf } from '../text.ts';
import type { en } from './en.ts';

export default {
  parse_error: 'El servidor no entendió la solicitud. Vuelva a cargar la página.',
  invalid_request: 'El servidor no entendió la solicitud. Vuelva a cargar la página.',
  method_not_found: 'Este servidor no conoce esa solicitud. Quizá sea más antiguo que estas páginas.',
  invalid_params: 'No se acepta algo de lo escrito: {data}',
  invalid_dn: 'No es el nombre de una entrada: {data}',
  credentials_refused: 'El nombre, la contraseña o el código no son correctos.',
  client_refused: 'No está permitido desde donde se encuentra.',
  permission_denied: 'No tiene permiso para hacer esto. {data}',
  not_found: 'Ya no existe: {data}',
  already_exists: 'Ya existe: {data}',
  password_refused: 'La política de contraseñas rechaza esta contraseña. {data}',
  schema_refused: 'El directorio lo rechaza: {data}',
  license_refused: 'La licencia no lo permite. {data}',
  value_exists: 'Ese valor ya existe.',
  value_missing: 'Ese valor ya no existe.',
  too_large: 'Es demasiado de una vez. {data}',
  too_many_attempts: 'Demasiados intentos. Espere, por favor.',
  unavailable: 'No se puede acceder al directorio o al almacén. Inténtelo de nuevo.',
  network: 'No se puede acceder al servidor. ¿Tiene conexión?',
  timeout: 'El servidor tardó demasiado. Quizá la solicitud se haya realizado.',
  other: 'No ha funcionado ({reason}). {data}',
} satisfies TextsOf<typeof en>;
