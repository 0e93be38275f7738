/** Push messages to a user's phone for a transaction, and the token with which it answers. */
import { isUsable, type Token } from '../../authenticators/token.ts';
import { readTokens } from '../../authenticators/token-data.ts';
import { ServiceError } from '../../foundation/errors/errors.ts';
import type { Account } from '../../login/account.ts';
import { languageOf } from '../../messaging/contact-channels.ts';
import { textFor } from '../../messaging/texts/texts.ts';
import type { PhoneTransaction, TransactionCall } from './transaction.ts';
import { appUri } from './uri.ts';

/** Tokens whose secret an app may have. */
export const answering = ({ data }: Pick<Account, 'data'>, now: number): readonly Token[] =>
  readTokens(data).filter(
    (token) => (token.type === 'TOTP' || token.type === 'HOTP') && isUsable(token, now),
  );

/** The device of the first token that a push message reaches; undefined: none does. */
export const reachable = (
  tokens: readonly Token[],
  { outbox }: Pick<TransactionCall, 'outbox'>,
): string | undefined =>
  outbox.has('push') ? tokens.find(({ id }) => id !== undefined && isPushId(id))?.id : undefined;

const isPushId = (id: string): boolean => /^[A-Za-z0-9]{1,32}:[\x21-\x7e]{1,4096}$/.test(id);

/** A message that is not sent ends nothing: the phone may scan a picture, and the caller may have it sent again. */
export async function pushTo(
  to: string,
  { transaction, account }: { readonly transaction: PhoneTransaction; readonly account: Account },
  call: TransactionCall,
): Promise<void> {
  const { state } = transaction;
  const { texts: own, default_language: otherwise } = call.config;
  const wording = { preferred: languageOf(account.entry, call), own, otherwise };
  const { username: user = '', domain = '' } = state.owner?.name ?? {};
  const variables = { user, domain, client: state.issuer };
  const [title, body] = [
    textFor('ask_push_title', variables, wording),
    textFor('ask_push', variables, wording),
  ];
  const now = call.clock.now();
  const timeout = Math.max(1, Math.ceil((state.ends - now) / 1000));
  const data = {
    uri: appUri(transaction, {
      ...{ token: answering(account, now)[0], now },
      scheme: call.config.app_scheme,
    }),
  };
  const message = {
    message: { way: 'push', content: { application: 'token', to, title, body, data, timeout } },
    sending: {
      ...{ application: call.names.theirs(call.application.name), dn: account.dn.format() },
      transaction: call.transaction,
    },
    spender: { user: account.id, client: state.caller, isAlone: true },
    ends: state.ends,
  } as const;
  try {
    await call.outbox.send([message]);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    const { id, client } = call.transaction;
    call.log.warn('a user could not be asked by push', { transaction: id, client, error });
  }
}
