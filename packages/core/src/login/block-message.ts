/** Tells a user by mail that failures have begun to refuse the user (`BlockNotify`). */

import { formatTime } from '../foundation/text/moment.ts';
import type { Happening } from '../limits/limit-events.ts';
import { read } from '../table/setting.ts';
import type { LoginAttempt } from './credentials.ts';
import { notify } from './notice.ts';
import { loginSettings } from './settings.ts';
import type { LoginCall } from './view.ts';

export async function tellBlock(
  { found: { account }, context }: LoginAttempt,
  happened: readonly Happening[],
  call: LoginCall,
): Promise<void> {
  const refusal = happened.find((one) => one.kind === 'refusal');
  if (!account || !refusal || !read(account.settings, loginSettings.BlockNotify)) return;
  const variables = {
    user: context.named.name,
    domain: account.domain.name,
    until: refusal.until === undefined ? '…' : formatTime(refusal.until),
  };
  // Strangers bring it about.
  const spender = { client: 'blocks', isAlone: true };
  await notify(account, { subject: 'block_mail_subject', text: 'block_mail', variables, spender }, call);
}
