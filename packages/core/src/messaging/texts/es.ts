import type { Texts } from '../../table/message-texts.ts';

/** Spanish. */
export const es: Texts = {
  code_sms: 'Su código de acceso es {code}. Es válido durante {minutes} min.',
  code_mail_subject: 'Su código de acceso',
  code_mail: `Hola {user}:

Su código de acceso es {code}. Es válido durante {minutes} min, y solo para el acceso que acaba de iniciar.

Si no ha iniciado ningún acceso, otra persona conoce su contraseña o su nombre. Avise a su administrador.
`,
  block_mail_subject: 'Su cuenta está bloqueada',
  block_mail: `Hola {user}:

Han fallado demasiados accesos. Hasta {until} (UTC), su cuenta está bloqueada para accesos desde lugares desconocidos.

Si no ha sido usted, avise a su administrador.
`,
  expiry_mail_subject: 'Su token caduca pronto',
  expiry_mail: `Hola {user}:

El token con el que accede caduca el {until} (UTC). Después ya no podrá acceder con él.

Pida uno nuevo a su administrador antes de esa fecha.
`,
  reset_sms: 'Elija una contraseña nueva antes del {until} (UTC): {link}',
  reset_mail_subject: 'Elija una contraseña nueva',
  reset_mail: `Hola, {user}:

{comments}con este enlace elige una contraseña nueva. Vale una vez, hasta el {until} (UTC):

{link}

Si no lo ha pedido, no haga nada: su contraseña sigue siendo la misma.
`,
  registration_sms: 'Registre su medio de acceso antes del {until} (UTC): {link}',
  registration_mail_subject: 'Registre su medio de acceso',
  registration_mail: `Hola, {user}:

{comments}con este enlace registra aquello con lo que inicia sesión además de la contraseña. Vale una vez, hasta el {until} (UTC):

{link}

No dé el enlace a nadie.
`,
  changed_mail_subject: 'Su contraseña ha cambiado',
  changed_mail: `Hola, {user}:

su contraseña cambió el {until} (UTC), con un enlace que se le envió.

Si no fue usted, dígaselo enseguida a su administrador.
`,
  ask_push_title: 'Se pide su confirmación',
  ask_push: '{client} le pide que confirme algo. Abra la aplicación para ver qué.',
  ask_badge_in: '¿Ficha usted ahora la entrada?',
  ask_badge_out: '¿Ficha usted ahora la salida?',
  extern_mail_subject: '{client} le pide una respuesta',
  extern_mail: `{client} le pide que vea un archivo y que lo acepte o lo rechace, hasta el {until} (UTC):

{link}

El archivo tiene la huella SHA-256 {digest}. Quien tenga el enlace puede responder por usted: no lo dé a nadie.

Si no lo espera, no haga nada.
`,
};
