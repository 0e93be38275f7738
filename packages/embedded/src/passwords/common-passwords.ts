/** The 49,000 most common passwords of leaks in lower case, from zxcvbn-ts. */
import { dictionary } from '@zxcvbn-ts/language-common';

export const commonPasswords: ReadonlySet<string> = new Set(dictionary['passwords-common']);
