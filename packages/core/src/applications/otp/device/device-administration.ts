/** FIDO2 devices of users, as administrators register and remove them (WebAuthn Level 2 §7.1). */

import { readFactorName } from '../../../administration/factor-name.ts';
import { creationOptions, verifyRegistration } from '../../../authenticators/ceremony.ts';
import {
  challengeOf,
  deviceKey,
  type FidoDevice,
  handleOf,
  jsonIn,
  type RelyingPartyContext,
  readDevices,
  relyingPartyOf,
  writeDevice,
} from '../../../authenticators/device.ts';
import { swapData } from '../../../directory/data/data.ts';
import { readProfile } from '../../../directory/data/profile.ts';
import { findEntryRef } from '../../../directory/data/user-data.ts';
import type { ProfileContext } from '../../../directory/view.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import type { Clock } from '../../../ports/clock.ts';
import { written } from '../../../table/schema/index.ts';
import { readNamed } from '../token/named-token.ts';
import { timestampToWire } from '../token/token-report.ts';
import type { NamedView } from '../view.ts';

export interface DeviceView extends ProfileContext, RelyingPartyContext {
  readonly config: ProfileContext['config'] & RelyingPartyContext['config'];
  readonly clock: Clock;
}

/** Users found by a login name. */
export type NamedDeviceView = DeviceView & NamedView;

export interface NewChallenge {
  readonly username: string;
  readonly domain: string;
  readonly random: Uint8Array;
  readonly appid: string | undefined;
}

/**
 * Makes the options that the page of a registration hands to the browser.
 * @returns PublicKeyCredentialCreationOptionsJSON
 * @throws ServiceError `invalid_params`, `not_found`; `unavailable` without a relying party
 */
export async function registrationChallenge(
  { username, domain, random, appid }: NewChallenge,
  call: NamedDeviceView,
): Promise<string> {
  const challenge = challengeOf(random);
  const party = relyingPartyOf(call);
  const { dn } = await readNamed({ username, domain }, call);
  const { id, data } = await readProfile(dn, call);
  const user = { handle: handleOf(id), name: username, displayName: `${domain}\\${username}` };
  return creationOptions(user, readDevices(data), { challenge, party, appid });
}

export interface NewDevice {
  /** The browser's answer: JSON, or base64 of it. */
  readonly response: string;
  readonly random: Uint8Array;
  readonly slot: number;
  readonly name: string | undefined;
}

/** Takes the place of the device in that slot. @throws ServiceError `invalid_params`, `not_found`; `already_exists` in another slot */
export async function registerDevice(
  dn: Dn,
  { response, random, slot, name }: NewDevice,
  call: DeviceView,
): Promise<void> {
  const challenge = challengeOf(random);
  const called = name === undefined ? undefined : readFactorName(name);
  const party = relyingPartyOf(call);
  const entryRef = await findEntryRef(dn, call);
  const made = await verifyRegistration(jsonIn(response), { challenge, party });
  const device: FidoDevice = { ...made, slot, name: called, isEnabled: true, registered: call.clock.now() };
  await swapData(
    entryRef,
    (stored) => {
      const other = readDevices(stored).find((one) => one.id === device.id && one.slot !== slot);
      if (other)
        throw new ServiceError('already_exists', {
          detail: `The device is registered for LDAP object '${dn}' as ${other.slot}`,
        });
      return new Map([[deviceKey(slot), writeDevice(device)]]);
    },
    call,
  );
}

/** False if it is as wanted already. @throws ServiceError `not_found` where no device has the slot */
export async function switchDevice(
  dn: Dn,
  { slot, isEnabled }: Pick<FidoDevice, 'slot' | 'isEnabled'>,
  call: DeviceView,
): Promise<void | false> {
  let isSwitched = false;
  await swapData(
    await findEntryRef(dn, call),
    (stored) => {
      const device = readDevices(stored).find((one) => one.slot === slot);
      if (!device)
        throw new ServiceError('not_found', { detail: `No FIDO2 device ${slot} of LDAP object '${dn}'` });
      isSwitched = device.isEnabled !== isEnabled;
      return isSwitched ? new Map([[deviceKey(slot), writeDevice({ ...device, isEnabled })]]) : new Map();
    },
    call,
  );
  if (!isSwitched) return false;
}

/** False if there was none. */
export async function removeDevice(dn: Dn, slot: number, call: DeviceView): Promise<void | false> {
  const profile = await readProfile(dn, call);
  if (!profile.data.keys.includes(deviceKey(slot))) return false;
  await swapData(profile, () => new Map([[deviceKey(slot), null]]), call);
}

export const devicesOf = async (dn: Dn, call: DeviceView): Promise<readonly FidoDevice[]> =>
  readDevices((await readProfile(dn, call)).data);

const text = { type: 'string' };

/** Lists devices in the order of their slots. */
export const deviceList = () =>
  written(
    {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          ...{ id: { type: 'integer', minimum: 1 }, type: { const: 'FIDO2' }, enabled: { type: 'boolean' } },
          ...{ registered: text, name: text, transports: { type: 'array', items: text } },
        },
      },
    },
    (devices: readonly FidoDevice[]) => devices.map(deviceToWire),
  );

export const deviceToWire = ({ slot, isEnabled, registered, name, transports }: FidoDevice) => ({
  ...{ id: slot, type: 'FIDO2', enabled: isEnabled, registered: timestampToWire(registered) },
  ...(name !== undefined && { name }),
  ...{ transports },
});
