/** What a step shows: its words made into passwords and codes of the person that it is about. */
import type { Challenge, Credentials } from './oracle/oracle-attempt.ts';
import { type Authenticator, codeAt, type Person } from './oracle/oracle-people.ts';
import type { Login, Word } from './steps.ts';

export interface Known {
  readonly now: number;
  /** The code that was good last. */
  readonly lastCode: string | undefined;
  /** One that waits for an answer. */
  readonly challenge: Challenge | undefined;
}

/** Undefined: there is no challenge to be answered. */
export function credentialsOf(login: Login, person: Person, known: Known): Credentials | undefined {
  const password = passwordOf(login, person);
  const code = codeOf(login, person, known);
  switch (login.form) {
    case 'text':
      return { text: `${password ?? ''}${code ?? ''}` || 'x' };
    case 'fields':
      return { ...(password !== undefined && { password }), ...(code !== undefined && { code }) };
    case 'answer':
      return known.challenge && code !== undefined ? { answer: code, challenge: known.challenge } : undefined;
  }
}

function passwordOf({ password, salt }: Login, person: Person): string | undefined {
  const words: Readonly<Record<Word, string | undefined>> = {
    ...{ none: undefined, right: person.password, wrong: `wrong ${salt}`, used: 'used' },
  };
  return words[password];
}

function codeOf({ code, salt }: Login, { has }: Person, { now, lastCode }: Known): string | undefined {
  const one = has[salt % Math.max(1, has.length)];
  if (code === 'none') return undefined;
  if (code === 'used') return lastCode ?? '000000';
  return code === 'right' && one ? goodCode(one, now, salt) : String(salt).padStart(one?.digits ?? 6, '0');
}

/** One that is right now: of a time step later than the last one that was accepted, or some counters ahead. */
function goodCode(one: Authenticator, now: number, salt: number): string {
  if (one.type === 'EMERGENCY') return one.text;
  if (one.type === 'HOTP') return codeAt(one.next + (salt % 4), one.secret, 6);
  if (one.type === 'LIST') return codeAt(Math.max(...one.used, -1) + 1, one.secret, one.digits);
  const step = Math.floor(now / 30_000);
  return codeAt(Math.max(step, Math.min(step + 1, one.accepted + 1)), one.secret, 6);
}
