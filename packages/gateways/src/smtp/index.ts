/** Mail over SMTP. */
export { openSmtp, type SmtpOptions } from './smtp.ts';
