/** The URI of a transaction in a QR code or push message: the session, and a proof that this installation made it. */
import type { Token } from '../../authenticators/token.ts';
import { proofOf, shownOf, wordOf } from './protocol.ts';
import type { PhoneTransaction } from './transaction.ts';

/**
 * @param token whose phone is meant; its secret signs the URI
 * @param scheme that the app is registered for
 */
export function appUri(
  transaction: PhoneTransaction,
  {
    token,
    now,
    scheme,
  }: { readonly token: Token | undefined; readonly now: number; readonly scheme: string },
): string {
  const { session, state } = transaction;
  const { kind, challenge, client, issuer, fileDigest, begun, ends } = state;
  const proof = token ? proofOf('show', shownOf(transaction), token.secret) : '';
  const fields = new URLSearchParams({
    version: '1',
    timestamp: String(Math.floor(begun / 1000)),
    reqtime: String(Math.max(0, Math.ceil((ends - now) / 1000))),
    ...{ session, challenge, signature: wordOf(proof, 32) },
    ...(fileDigest !== undefined && { file: '1' }),
    ...{ client: wordOf(client, 26), issuer: wordOf(issuer, 26) },
    ...(kind === 'sign' && { scope: 'local' }),
    config: wordOf('watchword-1', 8),
  });
  return `${scheme}://${kind}/${session.toLowerCase()}?${fields}`;
}
