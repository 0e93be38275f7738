/** Settings as a request names them (webservices.md §4). */
import type { Names } from './dialect.ts';

/** The name in our words, with its application: that of one-time passwords, where the text does not say. */
export const requestedSetting = (text: string, names: Names): string =>
  text.includes('.') ? names.oursDotted(text) : `Otp.${text}`;
