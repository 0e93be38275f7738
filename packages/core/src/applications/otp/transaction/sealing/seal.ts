/** Seals a file for a calling system, without a user: a signature of the installation with the time. */
import { hash } from 'node:crypto';
import { signatureForm } from '../../../../administration/pki/signature-form.ts';
import { type ContentSigningView, signContent } from '../../../../administration/pki/signed-content.ts';
import { assertSource } from '../../../../administration/policy/caller.ts';
import { recordEvent } from '../../../../events/recorded.ts';
import type { TransactionCall } from '../../../phone/transaction.ts';
import { assertFile, assertFormSettings } from '../file.ts';

export interface WantedSeal {
  readonly file?: Uint8Array | undefined;
  readonly mode?: string | undefined;
  readonly client?: string | undefined;
  readonly source?: string | undefined;
  readonly settings?: string | undefined;
}

export type SealCall = TransactionCall &
  ContentSigningView & { readonly config: { readonly ws_url: string } };

/**
 * Undefined: the policy of the client is closed; the log has why.
 * @throws ServiceError `invalid_params` naming the field; `invalid_source` where `source` is no address; `unavailable`
 */
export async function sealFile(
  { file, mode, client, source, settings }: WantedSeal,
  call: SealCall,
): Promise<Uint8Array | undefined> {
  assertSource(source);
  assertFile(file);
  const form = signatureForm(file, { mode, settings });
  assertFormSettings(settings);
  await call.authority.assertSignable(file, form);
  const policy = call.clients.find(call.caller, client);
  const whereabouts = { groups: [], address: source ?? call.caller.address, isElsewhere: false };
  const digest = `a file of ${file.length} bytes, SHA-256 ${hash('sha256', file)}`;
  if ((await policy.apply(call.presets, whereabouts)).mode === 'no_access') {
    await record(
      `Seal of ${digest}: refused: the client ${policy.name} is closed`,
      'refused',
      { source },
      call,
    );
    return undefined;
  }
  const name = new URL(call.config.ws_url).hostname;
  const subject = [
    { type: '2.5.4.3', value: name },
    { type: '2.5.4.13', value: 'SEAL' },
  ];
  const { file: sealed } = await signContent(file, { subject, form, owner: { client: policy.name } }, call);
  await record(`Seal of ${digest} at ${JSON.stringify(policy.name)}: sealed`, 'done', { source }, call);
  return sealed;
}

const record = (
  text: string,
  outcome: 'done' | 'refused',
  { source }: Pick<WantedSeal, 'source'>,
  call: SealCall,
): Promise<unknown> =>
  recordEvent(
    {
      ...{ application: call.names.theirs(call.application.name), source, text },
      facts: { user: '', operation: call.operation, outcome },
    },
    call.transaction,
    call,
  );
