/** The signature over a file that was confirmed, under a certificate that names the user. It is made when it is asked for first. */
import { type SignedFile, signContent } from '../pki/signed-content.ts';
import type { SignatureForm, SubjectField } from '../ports/authority.ts';
import type { PhoneTransaction, TransactionCall, TransactionOwner, TransactionState } from './transaction.ts';
import { readState, stateValue } from './transaction.ts';

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
  const { file, owner, signedAs } = state;
  if (file === undefined || !owner || !signedAs) return undefined;
  if (state.signed) return fileOf(state.signed);
  const signed = await sign(Buffer.from(file, 'base64'), { owner, kind: state.kind, signedAs }, call);
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

async function sign(
  content: Uint8Array,
  {
    owner,
    kind,
    signedAs,
  }: { readonly owner: TransactionOwner; readonly signedAs: SignatureForm } & Pick<TransactionState, 'kind'>,
  call: TransactionCall,
): Promise<KeptFile> {
  const holder = { owner: owner.dn.format(), entry: owner.id };
  const { file, certificate } = await signContent(
    content,
    { subject: subjectOf(owner, kind), form: signedAs, holder },
    call,
  );
  return {
    file: Buffer.from(file).toString('base64'),
    certificate: Buffer.from(certificate).toString('base64'),
  };
}
