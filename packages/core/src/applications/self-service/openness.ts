/**
 * Returns whether a web application is open to a user: by the configuration, the settings, and what an administrator has opened for a
 * time.
 */

import { otpSelfSettings, sshkeySelfSettings } from '../../administration/policy/self/settings.ts';
import {
  isUnlocked,
  type WebApplicationPolicies,
} from '../../administration/policy/self/web-applications.ts';
import type { Settings } from '../../directory/data/layers.ts';
import type { EntryProfile } from '../../directory/data/profile.ts';
import { whyOff } from '../../login/account.ts';
import { gateRows } from '../../login/settings.ts';
import { type Gate, loginGate } from '../../login/view.ts';
import type { Clock } from '../../ports/clock.ts';
import type { Store } from '../../ports/store/store.ts';
import type { Names } from '../../table/dialect.ts';
import { read } from '../../table/setting.ts';
import { settingsOf } from '../../table/setting-row.ts';
import type { LinkItem } from './link/link.ts';
import { listedWords, selfregSettings } from './settings.ts';

export interface OpennessView {
  readonly webapps: Pick<WebApplicationPolicies, 'find'>;
  readonly store: Pick<Store, 'get'>;
  readonly clock: Pick<Clock, 'now'>;
}

type User = Pick<EntryProfile, 'id' | 'settings'>;

/** The purpose of a link. @param item what is to be registered */
export type ByLink = { readonly word: 'pwreset' } | { readonly word: 'selfreg'; readonly item: LinkItem };

export type DoorWanted = { readonly word: 'selfdesk' } | ByLink;

/** @throws ServiceError `unavailable` */
export async function isOpen(entering: DoorWanted, user: User, view: OpennessView): Promise<boolean> {
  const { word } = entering;
  const { enabled, locked } = view.webapps.find(word);
  if (!enabled || isOff(entering, user.settings, view)) return false;
  if (!locked && isAllowed(entering, user.settings)) return true;
  return isUnlocked({ word, id: user.id }, view.store);
}

const { EnableLogin: isOpenOverSsh, ValidTo: toOverSsh } = settingsOf('SshKey', gateRows('over SSH'));
const sshGate = { isOpen: isOpenOverSsh, to: toOverSsh };

/** Returns whether the user is off in each application that a link would be for. What unlocks an application lets no such user in. */
function isOff(entering: DoorWanted, settings: Settings, { clock }: Pick<OpennessView, 'clock'>): boolean {
  return gatesOf(entering, settings).every((gate) => whyOff(settings, gate, clock) !== undefined);
}

function gatesOf(entering: DoorWanted, settings: Settings): readonly Omit<Gate, 'from'>[] {
  if (entering.word !== 'pwreset')
    return [entering.word === 'selfreg' && entering.item === 'SshKey' ? sshGate : loginGate];
  const isOfSsh = read(settings, sshkeySelfSettings.PasswordReset);
  const isOfOtp = read(settings, otpSelfSettings.PasswordReset) || !isOfSsh;
  return [...(isOfOtp ? [loginGate] : []), ...(isOfSsh ? [sshGate] : [])];
}

function isAllowed(entering: DoorWanted, settings: User['settings']): boolean {
  switch (entering.word) {
    case 'selfdesk':
      return true;
    case 'pwreset':
      return mayReset(settings);
    case 'selfreg':
      return read(settings, selfregSettings.AllowRegister) && mayRegister(entering.item, settings);
  }
}

const mayReset = (settings: Settings): boolean =>
  read(settings, otpSelfSettings.PasswordReset) || read(settings, sshkeySelfSettings.PasswordReset);

/**
 * Returns the path where users ask for a link; undefined: the installation permits none. The page does not know which users may before
 * they sign in, so operators give the address to users of a group that may.
 */
export function resetPath({ webapps, presets, names }: ResetView): string | undefined {
  const { enabled, locked } = webapps.find('pwreset');
  return enabled && !locked && mayReset(presets) ? `/webapps/${names.theirs('pwreset')}` : undefined;
}

interface ResetView {
  readonly webapps: Pick<WebApplicationPolicies, 'find'>;
  readonly presets: Settings;
  readonly names: Pick<Names, 'theirs'>;
}

/** Returns whether the application lets users register this factor. */
function mayRegister(item: LinkItem, settings: User['settings']): boolean {
  if (item === 'SshKey') return read(settings, sshkeySelfSettings.SelfRegister);
  const type = typeOf(item) ?? read(settings, selfregSettings.DefaultTokenType);
  return (
    read(settings, otpSelfSettings.SelfRegister) &&
    isListed(type, read(settings, selfregSettings.AllowTokenTypes))
  );
}

const types: Partial<Readonly<Record<LinkItem, string>>> = {
  FIDO: 'FIDO2',
  OTPList: 'LIST',
  AppKeys: 'APPKEY',
};

/** Undefined: a token, of whatever type. */
const typeOf = (item: LinkItem): string | undefined => types[item];

/** @param list words with commas between; undefined: all are */
export const isListed = (word: string, list: string | undefined): boolean =>
  list === undefined || listedWords(list).includes(word);
