import type { Names } from './dialect.ts';

/** Returns the full name of a setting in a request, in our words. @param application default for a name without one */
export const requestedSetting = (text: string, names: Names, application = 'Otp'): string =>
  text.includes('.') ? names.oursDotted(text) : `${application}.${text}`;
