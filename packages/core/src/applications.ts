/** The applications that come with it. Taking one out is taking out its folder and its line here. */
import { otp } from './otp/index.ts';
import { qrauth } from './qrauth/index.ts';
import { sms } from './sms/index.ts';
import { sshkey } from './sshkey/index.ts';
import { sso } from './sso/index.ts';

export const bundled = {
  [otp.name]: otp,
  [sshkey.name]: sshkey,
  [sms.name]: sms,
  [qrauth.name]: qrauth,
  [sso.name]: sso,
} as const;

export type Bundled = typeof bundled;
