/**
 * A certificate for somebody in the directory: openssl makes a key, which never leaves this machine, and a request;
 * the Manager signs the request; the certificate is set on the entry.
 */
import { execFile } from 'node:child_process';
import { access, chmod, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Manager } from '@watchword/client';

const openssl = (...args: readonly string[]) => promisify(execFile)('openssl', args);
const config = fileURLToPath(new URL('openssl.cnf', import.meta.url));

/** Fields of a subject by their names, in order. */
export type Subject = Readonly<Record<string, string>>;

/** Paths of PEM files. */
export interface Enrolled {
  readonly certificate: string;
  readonly key: string;
}

/** Where the files go, and what their names begin with. */
export interface Place {
  readonly folder: string;
  readonly name: string;
}

/** Enrols a user of a domain. */
export async function enrollUser(
  manager: Manager,
  { username, domain }: { username: string; domain: string },
  place: Place,
): Promise<Enrolled> {
  const dn = await manager.Get_User_DN({ username, domain });
  const subject = { CN: `${domain}\\${username}`, UID: username, DC: domain, description: 'USER' };
  return enroll(manager, { dn, subject }, place);
}

/** @throws Error if there is a key of this name already: what it opens would be lost */
export async function enroll(
  manager: Manager,
  { dn, subject }: { dn: string; subject: Subject },
  { folder, name }: Place,
): Promise<Enrolled> {
  const file = encodeURIComponent(name); // a login name may be ../../x
  const key = join(folder, `${file}-key.pem`);
  const certificate = join(folder, `${file}-certificate.pem`);
  await refuseExisting(key);
  const pem = await signed(manager, key, subject);
  await writeFile(certificate, `${pem.trim()}\n`);
  await manager.Set_User_Attrs({ dn, attrs: { usercertificate: [bare(pem)] }, values: true });
  return { certificate, key };
}

/** A key that nobody signs for is not left behind: it would stand in the way of the next try. */
async function signed(manager: Manager, key: string, subject: Subject): Promise<string> {
  try {
    return await manager.Sign_certificate_Request({ request: await makeRequest(key, subject) });
  } catch (error) {
    await rm(key, { force: true });
    throw error;
  }
}

async function refuseExisting(path: string): Promise<void> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  if (isThere) throw new Error(`${path} is there already; move it away first.`);
}

/** A new key in a file for its owner only, and a request for its certificate. @returns PEM */
async function makeRequest(key: string, subject: Subject): Promise<string> {
  const request = `${key}.request`;
  const options = ['-config', config, '-newkey', 'rsa:2048', '-nodes', '-keyout', key, '-out', request];
  try {
    await openssl('req', '-new', ...options, '-utf8', '-subj', subjectText(subject));
    await chmod(key, 0o600);
    return await readFile(request, 'utf8');
  } catch (cause) {
    throw new Error('openssl could not make the key and the request', { cause });
  } finally {
    await rm(request, { force: true });
  }
}

/** As `openssl req -subj` wants it: in a value, a backslash before what would end it. */
const subjectText = (subject: Subject): string =>
  Object.entries(subject)
    .map(([type, value]) => `/${type}=${value.replace(/[\\/+]/g, '\\$&')}`)
    .join('');

/** Returns the base64 of a certificate, without header, footer and white space. */
const bare = (pem: string): string => pem.replace(/-----[^-]+-----|\s/g, '');
