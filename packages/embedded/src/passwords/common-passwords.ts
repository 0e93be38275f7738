/** The passwords that people choose most: 49,000 out of leaks, in lower case, as zxcvbn-ts ranks them. */
import { dictionary } from '@zxcvbn-ts/language-common';

export const commonPasswords: ReadonlySet<string> = new Set(dictionary['passwords-common']);
