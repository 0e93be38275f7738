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
import { answer, digits, look, opened } from './transaction.ts';

const usage = `Usage: soft-token scan PICTURE             reads a QR code: GIF, JPG or PNG
       soft-token confirm [--pincode PIN]  tells the service that it was read
       soft-token code                     shows the code of the moment
       soft-token asked URI|PICTURE        shows what a site asks
       soft-token yes|no URI|PICTURE       confirms it, or refuses
       --location LAT,LONG                 where the phone is, of a badging
       --account FILE                      keeps the account there, not in ~/.soft-token.json`;

async function run(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { account: { type: 'string' }, pincode: { type: 'string' }, location: { type: 'string' } },
    allowPositionals: true,
  });
  const { account: file = join(homedir(), '.soft-token.json'), pincode } = values;
  const [command, picture] = positionals;
  if (command === 'scan' && picture !== undefined) return scan(picture, file);
  if (command === 'confirm') return confirmScan(await readAccount(file), pincode);
  if (command === 'code') return showCodes(await readAccount(file));
  if (command === 'asked' && picture !== undefined) return showAsked(await readAccount(file), picture);
  if ((command === 'yes' || command === 'no') && picture !== undefined)
    return say(await readAccount(file), picture, { word: command, location: values.location });
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

const uriOf = async (given: string): Promise<string> =>
  given.startsWith('watchword:') ? given : readQrCode(given);

async function showAsked(account: Account, given: string): Promise<void> {
  const asked = await look(account, await uriOf(given));
  const isOpening = asked.kind === 'decrypt';
  const file =
    asked.file === undefined || isOpening
      ? ''
      : `\nwith a file of ${Buffer.from(asked.file, 'base64').length} bytes`;
  console.log(`${asked.issuer} asks you to ${asked.kind}:\n${asked.data}${file}`);
  if (isOpening) return console.log(`What it gives away:\n${opened(account, asked)}`);
  console.log(`Without a network, type ${digits(account, asked)} to confirm.`);
}

interface Saying {
  readonly word: 'yes' | 'no';
  readonly location?: string | undefined;
}

async function say(account: Account, given: string, { word, location }: Saying): Promise<void> {
  const asked = await look(account, await uriOf(given));
  console.log(await answer(account, asked, word === 'yes' ? 'confirm' : 'refuse', location));
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
