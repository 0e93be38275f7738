/** Badging: a user is asked on the phone to badge in or out, and systems query whether a user has badged in. */
import { type Badge, findBadge } from '../../../../administration/badging/badge.ts';
import { badgingSettings } from '../../../../administration/badging/settings.ts';
import { ServiceError } from '../../../../foundation/errors/errors.ts';
import type { Account } from '../../../../login/account.ts';
import { nameOf } from '../../../../login/account.ts';
import { findActing } from '../../../../login/attempt.ts';
import type { LoginRequest } from '../../../../login/request.ts';
import { languageOf } from '../../../../messaging/contact-channels.ts';
import { textFor } from '../../../../messaging/texts/texts.ts';
import { read } from '../../../../table/setting.ts';
import { awaitTransaction, cancelTransaction } from '../../../phone/outcome.ts';
import type { TransactionCall } from '../../../phone/transaction.ts';
import { askUser, mostData } from '../begin.ts';

type Who = Pick<LoginRequest, 'username' | 'domain' | 'client' | 'source' | 'settings'>;

export interface WantedBadging extends Who {
  /** HTML that the user is shown. Optional; default: as the settings say, or that it is about badging. */
  readonly data?: string | undefined;
}

const kind = 'badge';

/**
 * Waits for the user. Undefined: there is no such user, no push message reaches it, or it has not confirmed in time.
 * @throws ServiceError `invalid_params`; `invalid_source` where `source` is no address; `unavailable`
 */
export async function badge(
  { data, ...who }: WantedBadging,
  call: TransactionCall,
): Promise<Badge | undefined> {
  if (data && data.length > mostData)
    throw new ServiceError('invalid_params', {
      detail: `Parameter data is longer than ${mostData} characters`,
    });
  const acting = await findActing(who, 'no badging for a user', call);
  if (!acting) return undefined;
  const { account } = acting;
  const way = await wayOf(account, call);
  const shown = data ?? read(account.settings, badgingSettings.BadgingData) ?? textOf(way, account, call);
  const wanted = { ...who, kind, data: shown, push: 'needed', badging: { way } } as const;
  const transaction = await askUser(acting, wanted, call);
  if (!transaction) return undefined;
  const standing = await awaitTransaction(transaction, call);
  // Nobody learns of an answer that comes later.
  if (standing.kind === 'pending') await cancelTransaction({ session: standing.session, kind }, call);
  return standing.kind === 'confirmed' ? standing.badge : undefined;
}

async function wayOf({ id, settings }: Account, call: TransactionCall): Promise<'in' | 'out'> {
  const isToggle = read(settings, badgingSettings.BadgingMode) === 'Toggle';
  return isToggle && (await findBadge(id, call)) ? 'out' : 'in';
}

function textOf(way: 'in' | 'out', account: Account, call: TransactionCall): string {
  const { texts: own, default_language: otherwise } = call.config;
  const wording = { preferred: languageOf(account.entry, call), own, otherwise };
  const { username: user, domain } = nameOf(account);
  return textFor(way === 'in' ? 'ask_badge_in' : 'ask_badge_out', { user, domain }, wording);
}

/** Undefined: the user is not badged in, or not in an office where that is asked; or there is no such user. @throws ServiceError as {@link badge} */
export async function badgeOf(
  { office = false, ...who }: Who & { readonly office?: boolean | undefined },
  call: TransactionCall,
): Promise<Badge | undefined> {
  const acting = await findActing(who, 'no badging for a user', call);
  const found = acting && (await findBadge(acting.account.id, call));
  return found && (!office || found.office !== '') ? found : undefined;
}
