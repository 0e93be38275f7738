/**
 * Rights of a user in the self-service portal, by the settings. A change of factors needs a second factor that was presented shortly
 * before.
 */

import { otpSelfSettings, sshkeySelfSettings } from '../../../administration/policy/self/settings.ts';
import { type RelyingPartyContext, usableDevices } from '../../../authenticators/device.ts';
import { readList } from '../../../authenticators/lists.ts';
import { readTokens } from '../../../authenticators/token-data.ts';
import type { StoredData } from '../../../directory/data/data.ts';
import type { Settings } from '../../../directory/data/layers.ts';
import type { EntryProfile } from '../../../directory/data/profile.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import type { OwnFactor, OwnUse } from '../../../table/method.ts';
import { read } from '../../../table/setting.ts';
import { isListed } from '../openness.ts';
import { selfdeskSettings } from '../settings.ts';
import type { PageSession } from './session.ts';

/** Milliseconds after the sign-in in which factors may be changed. */
const freshFor = 10 * 60_000;

export interface DeskUser extends Pick<EntryProfile, 'settings' | 'data'> {
  readonly session: PageSession;
}

/** Which of the page's parts there are. */
export const partsOf = (settings: Settings) => ({
  otp: read(settings, selfdeskSettings.AllowOtp),
  sshkey: read(settings, selfdeskSettings.AllowSshKey),
  password: read(settings, selfdeskSettings.AllowPassword),
  infos: read(settings, selfdeskSettings.AllowUserInfos),
  register: read(settings, selfdeskSettings.AllowRegister) && read(settings, otpSelfSettings.SelfRegister),
  registerKey:
    read(settings, selfdeskSettings.AllowRegister) && read(settings, sshkeySelfSettings.SelfRegister),
});

/** Types that can be registered, in the order of the offer. */
const types = ['TOTP', 'HOTP', 'FIDO2', 'LIST', 'APPKEY'] as const satisfies readonly OwnFactor[];

/** Returns the types that the settings let the user register, in the order of the offer. FIDO2 needs a relying party. */
export function registrable(
  settings: Settings,
  { config }: RelyingPartyContext,
): readonly (typeof types)[number][] {
  const first = read(settings, selfdeskSettings.DefaultTokenType);
  const ordered = types.toSorted((one, other) => Number(other === first) - Number(one === first));
  return ordered.filter(
    (type) => mayRegister(type, 'Otp', settings) && (type !== 'FIDO2' || config.relying_party !== undefined),
  );
}

/** Tokens, security keys and a printed list: what a second factor can come of. */
export const factorCount = (data: StoredData): number =>
  readTokens(data).length + usableDevices(data).length + (readList(data) === undefined ? 0 : 1);

/** Returns whether a second factor was presented lately; without one, whether the sign-in was lately. */
export const isFresh = ({ session, data }: DeskUser, now: number): boolean =>
  now - session.begun < freshFor && (session.hasFactor || factorCount(data) === 0);

/** @throws ServiceError `insufficient_user_authentication` where signing in again is what is missing */
export function may(
  { does, of }: OwnUse,
  application: string | undefined,
  { user, now }: { readonly user: DeskUser; readonly now: number },
): boolean {
  const { settings } = user;
  const parts = partsOf(settings);
  if (application === undefined) return does === 'looks';
  if (application === 'SshKey' ? !parts.sshkey : application === 'Otp' && !parts.otp) return false;
  if (does === 'looks') return true;
  // The own method for it sees to it that one stays.
  if (does === 'removes' && application === 'Otp' && of !== 'APPKEY') return false;
  const registers = does !== 'repairs' && does !== 'removes';
  if (registers && !mayRegister(of, application, settings)) return false;
  if (isFresh(user, now)) return true;
  throw new ServiceError('insufficient_user_authentication', {
    detail: 'sign in again, with a second factor if you have one, less than 10 minutes before',
  });
}

function mayRegister(of: OwnFactor | undefined, application: string, settings: Settings): boolean {
  const parts = partsOf(settings);
  if (application === 'SshKey') return parts.registerKey;
  const isOfType = of === 'TOKEN' || of === undefined;
  return parts.register && (isOfType || isListed(of, read(settings, selfdeskSettings.AllowTokenTypes)));
}
