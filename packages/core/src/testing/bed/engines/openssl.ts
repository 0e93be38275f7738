/** Keys, requests and certificates by openssl, in a folder of their own: what real people would bring. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CertifiedKey } from '../../../../../pki/src/index.ts';
import { run, scratchFolder } from '../scratch.ts';

/** A key and a request, PEM. */
export interface KeyAndRequest {
  readonly key: string;
  readonly request: string;
}

export interface Openssl {
  /** The folder of its files. */
  readonly folder: string;
  /** A new ECDSA P-256 key and a request with it. @param subject as `-subj` takes it */
  request(subject: string): Promise<KeyAndRequest>;
  /** A certificate that an authority signs whatever it says; without one it signs itself. */
  certify(subject: string, terms?: CertificateTerms): Promise<CertifiedKey>;
  close(): Promise<void>;
}

export interface CertificateTerms {
  readonly by?: CertifiedKey;
  /** Left out: a new one. */
  readonly key?: string;
  /** openssl itself would make an authority of it. */
  readonly isAuthority?: boolean;
  /** Lines of `name = value`. Optional; default: the usages of a client. */
  readonly extensions?: readonly string[];
  /** More options of `openssl req`. */
  readonly options?: readonly string[];
}

/** Those of a client. */
export const usages = ['keyUsage = critical,digitalSignature', 'extendedKeyUsage = clientAuth'];
const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
const read = (path: string) => readFile(path, 'utf8');

export async function openOpenssl(): Promise<Openssl> {
  const folder = await scratchFolder('openssl');
  let files = 0;
  const file = (): string => {
    files += 1;
    return join(folder, `${files}.pem`);
  };
  const write = async (text: string): Promise<string> => {
    const path = file();
    await writeFile(path, text, { mode: 0o600 });
    return path;
  };
  const make = async (subject: string, options: readonly string[], given?: string) => {
    const [out, keyout] = [file(), file()];
    const keyed = given === undefined ? [...newKey, '-keyout', keyout] : ['-key', await write(given)];
    await run('openssl', ['req', ...keyed, '-utf8', '-subj', subject, '-out', out, ...options]);
    return { key: given ?? (await read(keyout)), made: await read(out) };
  };
  return {
    folder,
    request: async (subject) => {
      const { key, made } = await make(subject, ['-new']);
      return { key, request: made };
    },
    certify: async (subject, { by, key: given, ...terms } = {}) => {
      const signer = by ? ['-CA', await write(by.certificate), '-CAkey', await write(by.key)] : [];
      const { key, made } = await make(
        subject,
        ['-x509', '-days', '30', ...signer, ...optionsOf(terms)],
        given,
      );
      return { key, certificate: made };
    },
    close: () => rm(folder, { recursive: true }),
  };
}

function optionsOf({ isAuthority = false, extensions = usages, options = [] }: CertificateTerms): string[] {
  const constraints = `basicConstraints = critical,CA:${isAuthority ? 'TRUE' : 'FALSE'}`;
  return [constraints, ...extensions].flatMap((line) => ['-addext', line]).concat(options);
}
