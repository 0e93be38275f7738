/**
 * The signature over a file that was confirmed: CMS SignedData (RFC 5652), which openssl verifies. It is made when it is asked for
 * first, with a key that exists for that moment, under a certificate of this authority that names the user.
 */
import { subjectText } from '../pki/subject.ts';
import type { SubjectField } from '../ports/authority.ts';
import type { PhoneTransaction, TransactionCall, TransactionOwner, TransactionState } from './transaction.ts';
import { readState, stateValue } from './transaction.ts';

export interface SignedFile {
  readonly file: Uint8Array;
  /** DER. */
  readonly certificate: Uint8Array;
}

/** In days. */
const validity = 365;

/** commonName and description (RFC 4519 §2.3, §2.5); the latter keeps it apart from a certificate that logs in. */
const subjectOf = (
  { name: { username, domain } }: TransactionOwner,
  kind: TransactionState['kind'],
): readonly SubjectField[] => [
  { type: '2.5.4.3', value: `${domain}\\${username}` },
  { type: '2.5.4.13', value: kind === 'sign' ? 'SIGNATURE' : 'CONFIRMATION' },
];

/** The same whenever it is asked for. Undefined: there is no file. @throws ServiceError `unavailable` */
export async function signedFile(
  { key, state }: PhoneTransaction,
  call: TransactionCall,
): Promise<SignedFile | undefined> {
  const { file, owner } = state;
  if (file === undefined || !owner) return undefined;
  if (state.signed) return fileOf(state.signed);
  const signed = await sign(Buffer.from(file, 'base64'), { owner, kind: state.kind }, call);
  const now = call.clock.now();
  const kept = await call.store.update(key, (value) => {
    const before = value && readState(key, value, call.keys);
    if (!before) return { result: signed };
    if (before.signed) return { result: before.signed };
    return { result: signed, after: stateValue(key, { ...before, signed }, { keys: call.keys, now }) };
  });
  return fileOf(kept);
}

type KeptFile = NonNullable<TransactionState['signed']>;

const fileOf = ({ file, certificate }: KeptFile): SignedFile => ({
  file: Buffer.from(file, 'base64'),
  certificate: Buffer.from(certificate, 'base64'),
});

/** The certificate is on record before anybody has the signature. */
async function sign(
  content: Uint8Array,
  { owner, kind }: { readonly owner: TransactionOwner; readonly kind: TransactionState['kind'] },
  call: TransactionCall,
): Promise<KeptFile> {
  const { authority, certificates, clock, config } = call;
  const [listUrl, statusUrl] = [`${config.manager_url}/crl`, `${config.manager_url}/ocsp/`];
  const subject = subjectOf(owner, kind);
  const { signed, der, serial, notAfter } = await authority.sign(content, {
    ...{ subject, days: validity, listUrl, statusUrl },
  });
  const holder = { owner: owner.dn.format(), entry: owner.id };
  await certificates.add({ serial, subject: subjectText(subject), notAfter, issued: clock.now(), ...holder });
  return {
    file: Buffer.from(signed).toString('base64'),
    certificate: Buffer.from(der).toString('base64'),
  };
}
