/** Tells a user by mail that the token which has just logged in expires soon (`ExpireNotify`). */
import { hash } from 'node:crypto';
import { formatTime } from '../foundation/text/moment.ts';
import { read } from '../table/setting.ts';
import { nameOf } from './account.ts';
import { notify } from './notice.ts';
import type { LoginProof } from './proof/proof.ts';
import { loginSettings } from './settings.ts';
import type { LoginCall } from './view.ts';

/** In milliseconds: so long before its end a token expires soon. */
const soon = 14 * 86_400_000;
/** In seconds: nobody is told of the same token twice in that time. */
const pause = 7 * 86_400;

/** Undefined: there is nothing to tell, which costs no wait. @param proof that was granted */
export function tellExpiry(proof: LoginProof, call: LoginCall): Promise<void> | undefined {
  if (proof.kind !== 'right' || proof.code?.of.kind !== 'TOKEN') return undefined;
  const { account, code } = proof;
  const { expires } = proof.code.of.token;
  const isSoon = expires !== undefined && expires - call.clock.now() < soon;
  if (!isSoon || !read(account.settings, loginSettings.ExpireNotify)) return undefined;
  return tellOnce(account, { key: code.of.key, expires }, call);
}

async function tellOnce(
  account: Parameters<typeof notify>[0],
  { key, expires }: { readonly key: string; readonly expires: number },
  call: LoginCall,
): Promise<void> {
  const told = { before: undefined, after: Buffer.of(1), seconds: pause };
  if (!(await call.store.swap(`expiry-told:${hash('sha256', key)}`, told))) return;
  const { username: user, domain } = nameOf(account);
  const variables = { user, domain, until: formatTime(expires) };
  await notify(
    account,
    { subject: 'expiry_mail_subject', text: 'expiry_mail', variables, spender: { client: 'expiries' } },
    call,
  );
}
