/**
 * Registers the key of a FIDO2 device as the SSH key of a user (PROTOCOL.u2f of OpenSSH). A browser makes it for the relying party of this
 * installation, whose id is the application that the device signs for.
 */
import { creationOptions, keyObjectOf, verifyRegistration } from '../../../authenticators/ceremony.ts';
import {
  challengeOf,
  handleOf,
  jsonIn,
  type RelyingPartyContext,
  relyingPartyOf,
} from '../../../authenticators/device.ts';
import { readProfile } from '../../../directory/data/profile.ts';
import type { Domains } from '../../../directory/domain.ts';
import { findUser } from '../../../directory/entry/user.ts';
import type { ProfileContext } from '../../../directory/view.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import { deviceKeyOf, type PublicKey } from '../public-key.ts';
import { type KeyView, takeKey } from './key-administration.ts';

export interface DeviceKeyView extends KeyView, RelyingPartyContext {
  readonly config: ProfileContext['config'] & RelyingPartyContext['config'];
  readonly domains: Domains;
}

/** Those that OpenSSH has: Ed25519, and ECDSA on P-256. */
const algorithms = [-8, -7] as const;

export interface NewDeviceKey {
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
export async function deviceKeyChallenge(
  { username, domain, random, appid }: NewDeviceKey,
  call: DeviceKeyView,
): Promise<string> {
  const challenge = challengeOf(random);
  const party = relyingPartyOf(call);
  const where = {
    domain: call.domains.get(domain),
    schema: call.config.schema,
    memberships: call.memberships,
  };
  const { id } = await readProfile(await findUser(call.directory, { username, ...where }), call);
  const user = { handle: handleOf(id), name: username, displayName: `${domain}\\${username}` };
  return creationOptions(user, [], { challenge, party, appid, algorithms });
}

/**
 * Takes the place of the key before. How long and how often it is good, the settings of the user say.
 * @throws ServiceError `invalid_params`, `not_found`; `unavailable` without a relying party
 */
export async function registerDeviceKey(
  dn: Dn,
  { response, random }: { readonly response: string; readonly random: Uint8Array },
  call: DeviceKeyView,
): Promise<void> {
  const challenge = challengeOf(random);
  const party = relyingPartyOf(call);
  const { publicKey } = await verifyRegistration(jsonIn(response), { challenge, party, algorithms });
  await takeKey(dn, () => keyIn(publicKey, party.id), {}, call);
}

function keyIn(publicKey: string, application: string): PublicKey {
  const key = keyObjectOf(publicKey);
  const known = key && deviceKeyOf(key, application);
  if (known) return known;
  throw new ServiceError('invalid_params', {
    detail: 'Parameter response has a key that is neither Ed25519 nor ECDSA on P-256',
  });
}
