/**
 * A soft token for the command line. As an authenticator app does on a phone, it reads the QR code of a registration,
 * confirms that it has done so, and shows codes from then on.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type Account, keepAccount, readAccount, readUri } from './account.ts';
import { codeAt, secondsLeft } from './code.ts';
import { confirm } from './confirmation.ts';
import { readQrCode } from './picture.ts';

const usage = `Usage: soft-token scan PICTURE             reads a QR code: GIF, JPG or PNG
       soft-token confirm [--pincode PIN]  tells the service that it was read
       soft-token code                     shows the code of the moment
       --account FILE                      keeps the account there, not in ~/.soft-token.json`;

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { account: { type: 'string' }, pincode: { type: 'string' } },
    allowPositionals: true,
  });
  const { account: file = join(homedir(), '.soft-token.json'), pincode } = values;
  const [command, picture] = positionals;
  if (command === 'scan' && picture !== undefined) return scan(picture, file);
  if (command === 'confirm') return confirmScan(await readAccount(file), pincode);
  if (command === 'code') return showCodes(await readAccount(file));
  throw new Error(usage);
}

async function scan(picture: string, file: string): Promise<void> {
  const account = readUri(await readQrCode(picture));
  await keepAccount(file, account);
  console.log(`${JSON.stringify(account.label)} is kept in ${file}`);
}

async function confirmScan(account: Account, pincode?: string): Promise<void> {
  const now = Date.now();
  const otp = codeAt(account, now);
  const { code, message } = await confirm(account, otp, pincode);
  if (code !== 1) throw new Error(message);
  console.log(
    `${message}. ${otp} is used up by that; the next code comes in ${secondsLeft(account, now)} s.`,
  );
}

/** One for a program that reads it; for a person one after another, until Ctrl-C. */
async function showCodes(account: Account): Promise<void> {
  if (!process.stdout.isTTY) console.log(codeAt(account, Date.now()));
  while (process.stdout.isTTY) {
    const now = Date.now();
    process.stdout.write(`\r${codeAt(account, now)}  ${String(secondsLeft(account, now)).padStart(3)} s `);
    await sleep(1000 - (now % 1000));
  }
}

try {
  await run();
} catch (error) {
  // The message of fetch is only that it failed; why is in the cause.
  const { message, cause } = error as Error;
  console.error(cause instanceof Error ? `${message}: ${cause.message}` : message);
  process.exitCode = 1;
}
