/** The account that a QR code opens (`otpauth://totp/…`), and the file that it is kept in. */
import { readFile, writeFile } from 'node:fs/promises';
import type { Token } from './code.ts';

export interface Account extends Token {
  readonly label: string;
  /** Where the scan is confirmed, and of which mobile session; null: nobody waits for it. */
  readonly endpoint: string | null;
  readonly session: string | null;
  /** `domain\\username`, where the registration says so; empty: it does not. */
  readonly user: string;
}

const algorithms = ['SHA1', 'SHA256', 'SHA512'] as const;

/** What is left out has the value that every authenticator takes then. */
export function readUri(text: string): Account {
  const { protocol, host, pathname, searchParams: fields } = new URL(text);
  const named = fields.get('algorithm') ?? 'SHA1';
  const algorithm = algorithms.find((known) => known === named);
  const account = {
    label: decodeURIComponent(pathname.slice(1)),
    secret: fields.get('secret') ?? '',
    digits: Number(fields.get('digits') ?? 6),
    period: Number(fields.get('period') ?? 30),
    endpoint: fields.get('endpoint'),
    session: fields.get('session'),
    user: [fields.get('domain'), fields.get('userid')].filter(Boolean).join('\\'),
  };
  const isWhole =
    /^[A-Z2-7]+$/.test(account.secret) && [6, 8, 10].includes(account.digits) && account.period > 0;
  if (protocol !== 'otpauth:' || host !== 'totp' || !algorithm || !isWhole)
    throw new Error('The QR code is not that of a TOTP token');
  return { ...account, algorithm };
}

/** For its owner only. A file that is there may hold the only copy of another secret, and is left alone. */
export async function keepAccount(file: string, account: Account): Promise<void> {
  await writeFile(file, JSON.stringify(account, null, 2), { mode: 0o600, flag: 'wx' });
}

export async function readAccount(file: string): Promise<Account> {
  return JSON.parse(await readFile(file, 'utf8'));
}
