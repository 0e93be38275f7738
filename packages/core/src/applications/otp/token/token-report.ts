/** Reports on a user's tokens and login methods, without secrets. */

import type { BlockState } from '../../../administration/status/blocks.ts';
import { isInForce, readAppKey, readTemporary } from '../../../authenticators/app-passwords.ts';
import type { Factor, SentKind } from '../../../authenticators/authenticator.ts';
import { usableDevices } from '../../../authenticators/device.ts';
import { type CodeList, readEmergency, readList } from '../../../authenticators/lists.ts';
import { isSent } from '../../../authenticators/sent-code.ts';
import { isUsable, type Token } from '../../../authenticators/token.ts';
import { formatState, readTokens } from '../../../authenticators/token-data.ts';
import { kindsOf } from '../../../authenticators/user-authenticators.ts';
import { type EntryProfile, readProfile } from '../../../directory/data/profile.ts';
import { type Algorithm, algorithmOf, algorithms } from '../../../foundation/oath/hotp.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import { formatTimestamp } from '../../../foundation/text/timestamp.ts';
import type { AccountView } from '../../../login/view.ts';
import type { ChannelView } from '../../../messaging/contact-channels.ts';
import { channelAttributes, channelsOf } from '../../../messaging/contact-channels.ts';
import { written } from '../../../table/schema/index.ts';

export async function tokensOf(dn: Dn, call: AccountView): Promise<readonly Token[]> {
  return readTokens((await readProfile(dn, call)).data);
}

/** The kinds of one-time passwords that the user has now; those that are sent, where its settings name them and they reach it. */
export const methodsOf = async (dn: Dn, call: AccountView & ChannelView): Promise<readonly LoginMethod[]> =>
  methodsOfProfile(await readProfile(dn, call), call);

/** A login method. */
type LoginMethod = Factor | 'FIDO2' | 'APPKEY' | 'TMPKEY';

/** The same of a user who has been read. */
export async function methodsOfProfile(
  { dn, data, settings }: EntryProfile,
  call: AccountView & ChannelView,
): Promise<readonly LoginMethod[]> {
  const now = call.clock.now();
  const list = readList(data);
  const has = {
    TOKEN: readTokens(data).some((token) => isUsable(token, now)),
    LIST: list !== undefined && list.used.size < list.size,
    EMERGENCY: readEmergency(data, now) !== undefined,
  };
  const codes = (['TOKEN', 'LIST', 'EMERGENCY'] as const).filter((factor) => has[factor]);
  const [appKey, temporary] = [readAppKey(data), readTemporary(data)];
  const own = [
    ...codes,
    ...(usableDevices(data).length > 0 ? (['FIDO2'] as const) : []),
    ...(appKey && isInForce(appKey, now) ? (['APPKEY'] as const) : []),
    ...(temporary && isInForce(temporary, now) ? (['TMPKEY'] as const) : []),
  ];
  const sent = kindsOf({ settings }).filter(isSent);
  return sent.length === 0 ? own : [...own, ...(await reaching(dn, sent, call))];
}

async function reaching(
  dn: Dn,
  kinds: readonly SentKind[],
  call: AccountView & ChannelView,
): Promise<readonly SentKind[]> {
  const entry = await call.directory.read(dn, channelAttributes(call));
  const channels = entry ? channelsOf(entry, call) : {};
  return [...new Set(kinds)].filter((kind) => channels[kind] !== undefined);
}

/** `YYYY-MM-DD HH:MM:SS` in UTC; what is no moment has passed. */
export const timestampToWire = (milliseconds: number): string => formatTimestamp(milliseconds || 0);

const text = { type: 'string' };
const whole = { type: 'integer', minimum: 0 };

/** Tokens in the order of their slots. */
export const tokenList = () =>
  written(
    {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          ...{
            id: whole,
            type: { enum: ['HOTP', 'TOTP', 'YUBIKEY', 'YUBICLOUD', 'OCRA'] },
            enabled: { type: 'boolean' },
            state: text,
            algorithm: { enum: [...algorithms], description: 'Of HOTP and TOTP: the hash of the codes.' },
          },
          ...{ expires: text, tokenid: text, serial: text, model: text, name: text, suite: text },
        },
      },
    },
    (tokens: readonly Token[]) => tokens.map(tokenToWire),
  );

export function tokenToWire(token: Token) {
  const { slot, type, enabled, state, expires, id, serial, model, name, suite } = token;
  const algorithm = hashOf(token);
  return {
    ...{ id: slot, type, enabled, state: formatState(state) },
    ...(algorithm !== undefined && { algorithm }),
    ...(expires !== undefined && { expires: timestampToWire(expires) }),
    ...(id !== undefined && { tokenid: id }),
    ...(serial !== undefined && { serial }),
    ...(model !== undefined && { model }),
    ...(name !== undefined && { name }),
    ...(suite !== undefined && { suite }),
  };
}

const hashOf = ({ type, secret, shape }: Token): Algorithm | undefined =>
  type === 'HOTP' || type === 'TOTP' ? (shape?.algorithm ?? algorithmOf(secret)) : undefined;

/** The number of codes of a list, and of used ones. */
export const listState = () =>
  written(
    { type: 'object', properties: { size: whole, used: whole, name: text } },
    ({ size, used, name }: CodeList) => ({ size, used: used.size, ...(name !== undefined && { name }) }),
  );

/** Whether a user is refused anywhere, for how many seconds at most, and the failures that count at the moment. */
export const blockState = () =>
  written(
    {
      type: 'object',
      properties: { blocked: { type: 'boolean' }, seconds: whole, passwords: whole, codes: whole },
    },
    blockToWire,
  );

export const blockToWire = ({ seconds, wrongPasswords, wrongCodes }: BlockState) => ({
  ...{ blocked: seconds > 0, seconds, passwords: wrongPasswords, codes: wrongCodes },
});
