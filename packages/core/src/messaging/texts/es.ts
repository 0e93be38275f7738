import type { Texts } from '../../table/message-texts.ts';

/** Spanish. */
export const es: Texts = {
  code_sms: 'Su código de acceso es {code}. Es válido durante {minutes} min.',
  code_mail_subject: 'Su código de acceso',
  code_mail: `Hola, {user}:

Su código de acceso es {code}. Es válido durante {minutes} min, y solo para el acceso que acaba de iniciar.

Si no ha iniciado ningún acceso, otra persona conoce su contraseña o su nombre. Avise a su administrador.
`,
  block_mail_subject: 'Su cuenta está bloqueada',
  block_mail: `Hola, {user}:

Han fallado demasiados accesos. Hasta {until} (UTC), su cuenta está bloqueada para accesos desde lugares desconocidos.

Si no ha sido usted, avise a su administrador.
`,
  expiry_mail_subject: 'Su token caduca pronto',
  expiry_mail: `Hola, {user}:

El token con el que accede caduca el {until} (UTC). Después ya no podrá acceder con él.

Pida uno nuevo a su administrador antes de esa fecha.
`,
  reset_sms: 'Elija una contraseña nueva antes del {until} (UTC): {link}',
  reset_mail_subject: 'Elija una contraseña nueva',
  reset_mail: `Hola, {user}:

{comments}Con este enlace puede elegir una contraseña nueva. Es válido una vez, hasta el {until} (UTC):

{link}

Si no lo ha pedido, no haga nada: su contraseña sigue siendo la misma.
`,
  registration_sms: 'Registre su segundo factor antes del {until} (UTC): {link}',
  registration_mail_subject: 'Registre su segundo factor',
  registration_mail: `Hola, {user}:

{comments}Con este enlace puede registrar su segundo factor. Es válido una vez, hasta el {until} (UTC):

{link}

No comparta el enlace con nadie.
`,
  changed_mail_subject: 'Su contraseña ha cambiado',
  changed_mail: `Hola, {user}:

Su contraseña cambió el {at} (UTC), con un enlace que se le envió.

Si no fue usted, avise de inmediato a su administrador.
`,
  ask_push_title: 'Confirmación solicitada',
  ask_push: '{client} le pide que confirme algo. Abra la aplicación para ver los detalles.',
  ask_badge_in: '¿Confirma el fichaje de entrada?',
  ask_badge_out: '¿Confirma el fichaje de salida?',
  extern_mail_subject: '{client} le pide una respuesta',
  extern_mail: `{client} le pide que vea un archivo y que lo acepte o lo rechace antes del {until} (UTC):

{link}

El archivo tiene la huella SHA-256 {digest}. Cualquier persona que tenga el enlace puede responder por usted: no lo comparta con nadie.

Si no lo espera, no haga nada.
`,
  certificate_mail_subject: 'Un certificado de {host} caduca pronto',
  certificate_mail: `El certificado del servicio {listener} en {host} caduca el {until} (UTC). Después, los clientes se negarán a conectarse.

Certificado: {subject}

Sustituya los archivos que indican certificate y key de {listener}. El servidor los toma en 10 segundos.
`,
  certificate_renewal_mail: `El certificado del servicio {listener} en {host} caduca el {until} (UTC), y el servidor no ha podido renovarlo. Después, los clientes se negarán a conectarse.

Certificado: {subject}

El registro del servidor indica la causa y la solución.
`,
};
