/**
 * The operation `qrauthEncrypt`: encrypts a text for the phone of a user. The field names are our choice, as no deployed interface shows
 * them.
 */
import { ServiceError } from '../../foundation/errors/errors.ts';
import { findActing } from '../../login/attempt.ts';
import type { LoginRequest } from '../../login/request.ts';
import { read } from '../../table/setting.ts';
import { mostEnclosed, sealEnvelope } from '../phone/envelope.ts';
import { answering } from '../phone/push.ts';
import { phoneSettings } from '../phone/settings.ts';
import type { TransactionCall } from '../phone/transaction.ts';

export interface WantedEncryption
  extends Pick<LoginRequest, 'username' | 'domain' | 'client' | 'source' | 'settings'> {
  readonly inputText?: string | undefined;
  readonly inputData?: Uint8Array | undefined;
}

/**
 * Undefined: there is no such user, or none whose phone may be asked; the log has why.
 * @throws ServiceError `invalid_params`; `invalid_source` where `source` is no address; `unavailable`
 */
export async function encryptFor(
  { inputText = '', inputData, ...who }: WantedEncryption,
  call: TransactionCall,
): Promise<Uint8Array | undefined> {
  const plain = inputData ?? Buffer.from(inputText);
  if (plain.length === 0 || plain.length > mostEnclosed)
    throw new ServiceError('invalid_params', {
      detail: `Parameter inputData or inputText is not 1 to ${mostEnclosed} bytes`,
    });
  const acting = await findActing(who, 'no encryption for a user', call);
  if (!acting || !read(acting.account.settings, phoneSettings.EnableConfirm)) return undefined;
  const secrets = answering(acting.account, call.clock.now()).map(({ secret }) => secret);
  return secrets.length === 0 ? undefined : sealEnvelope(plain, secrets, call.random);
}
