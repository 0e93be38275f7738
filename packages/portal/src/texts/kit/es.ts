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
} satisfies TextsOf<typeof en>;
