/** The bundled applications. To remove one, remove its folder and its line here. */
import { otp } from './otp/index.ts';
import { qrauth } from './qrauth/index.ts';
import { helpdesk, pwreset, selfdesk, selfreg } from './self-service/index.ts';
import { sms } from './sms/index.ts';
import { sshkey } from './ssh-key/index.ts';
import { openid, sso } from './sso/index.ts';

export const bundled = {
  [otp.name]: otp,
  [sshkey.name]: sshkey,
  [sms.name]: sms,
  [qrauth.name]: qrauth,
  [sso.name]: sso,
  [selfdesk.name]: selfdesk,
  [pwreset.name]: pwreset,
  [selfreg.name]: selfreg,
  [helpdesk.name]: helpdesk,
  [openid.name]: openid,
} as const;

export type Bundled = typeof bundled;
