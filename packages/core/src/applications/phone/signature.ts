/** The signature over a confirmed file, under a certificate that names the user. It is made at the first request for it. */
import { type Signatory, type SignedFile, signContent } from '../../administration/pki/signed-content.ts';
import type { PhoneTransaction, TransactionCall, TransactionState } from './transaction.ts';
import { readState, stateValue } from './transaction.ts';

/** Returns the signatory. @param client the caller's client, where the signatory is not in the directory */
function signatoryOf({
  kind,
  owner,
  recipient,
  client,
}: TransactionState): Omit<Signatory, 'form'> | undefined {
  const name = owner ? `${owner.name.domain}\\${owner.name.username}` : recipient;
  if (name === undefined) return undefined;
  const certificateOwner = owner ? { owner: owner.dn.format(), entry: owner.id } : { client };
  // commonName and description (RFC 4519 §2.3, §2.5); the latter keeps it apart from a certificate that logs in.
  const description = kind === 'sign' ? 'SIGNATURE' : 'CONFIRMATION';
  const subject = [
    { type: '2.5.4.3', value: name },
    { type: '2.5.4.13', value: description },
  ];
  return { subject, owner: certificateOwner };
}

/** The same whenever it is asked for. Undefined: there is no file. @throws ServiceError `unavailable` */
export async function signedFile(
  { key, state }: PhoneTransaction,
  call: TransactionCall,
): Promise<SignedFile | undefined> {
  const { file, signedAs: form } = state;
  const signatory = signatoryOf(state);
  if (file === undefined || !form || !signatory) return undefined;
  if (state.signed) return fileOf(state.signed);
  const signed = await sign(Buffer.from(file, 'base64'), { ...signatory, form }, call);
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

async function sign(content: Uint8Array, by: Signatory, call: TransactionCall): Promise<KeptFile> {
  const { file, certificate } = await signContent(content, by, call);
  return {
    file: Buffer.from(file).toString('base64'),
    certificate: Buffer.from(certificate).toString('base64'),
  };
}
