/** Settings as a request names them. */
import type { Names } from './dialect.ts';

/** The name in our words, with its application: {@link application}, where the text does not say. */
export const requestedSetting = (text: string, names: Names, application = 'Otp'): string =>
  text.includes('.') ? names.oursDotted(text) : `${application}.${text}`;
