/** Makes an account that sends SMS: `watchword-ws --make-sms-account`. */
import { scryptSync } from 'node:crypto';
import { writeScryptHash } from '../../../foundation/text/secret/scrypt-hash.ts';
import { type Random, randomText } from '../../../ports/random.ts';

/** OWASP's second cheapest in memory: 32 MiB. */
const costs = { ln: 15, r: 8, p: 3 };
const alphabet = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/**
 * Makes an SMS account: the text for the operator with the password, which is stored nowhere, and the lines of the configuration that
 * admit it.
 */
export function newSmsAccount(random: Random): string {
  const password = randomText(random, { length: 24, alphabet });
  const salt = random.bytes(16);
  const { ln, r, p } = costs;
  const hash = scryptSync(password, salt, 32, { N: 2 ** ln, r, p, maxmem: 256 * r * 2 ** ln });
  return `The password, for the field password of smsSend. It is shown only now:

${password}

In the configuration of the server, under a name of your own:

sms_accounts:
  portal:
    hash: "${writeScryptHash({ ...costs, salt, hash })}"`;
}
