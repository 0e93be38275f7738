import type { TextsOf } from '../text.ts';
import type { en } from './en.ts';

export default {
  cancel: 'Cancelar',
  clear: 'Borrar',
  close: 'Cerrar',
  copy: 'Copiar',
  copied: 'Copiado',
  save: 'Guardar',
  undo: 'Deshacer',
  undone: 'Deshecho',
  missing: 'Rellene este campo.',
  retry: 'Reintentar',
  lost: 'Esta acción no se puede deshacer. Se perderá:',
  loading: 'Cargando',
  notifications: 'Mensajes',
  code: 'Código',
  nextCode: 'Código siguiente',
  passwordLength: 'Tiene al menos {count} carácter.|Tiene al menos {count} caracteres.',
  passwordComplex:
    'Tiene tres de estas clases: minúsculas, mayúsculas, cifras, otros caracteres; y no contiene el nombre.',
  passwordCommon: 'No es una de las contraseñas más comunes.',
  passwordHistory: 'No es la última.|No es ninguna de las últimas {count}.',
} satisfies TextsOf<typeof en>;
