/** The methods for passwords that replace all factors: application passwords and temporary passwords. */
import {
  type AppKey,
  appKeyChanges,
  hashTemporary,
  isInForce,
  passwordFor,
  readAppKey,
  readTemporary,
  temporaryChanges,
} from '../../../authenticators/app-passwords.ts';
import type { ServiceConfig } from '../../../config/config.ts';
import { swapData } from '../../../directory/data/data.ts';
import { readProfile } from '../../../directory/data/profile.ts';
import type { ProfileContext } from '../../../directory/view.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Random } from '../../../ports/random.ts';

export interface PasswordView extends ProfileContext {
  readonly config: Pick<ServiceConfig, 'schema' | 'clients'>;
  readonly clock: Clock;
  readonly random: Random;
}

/** Lengths of application passwords, in characters. */
export const appKeyLengths = [10, 15, 20, 25, 30] as const;
const usualLength = 20;
const [day, minute] = [86_400_000, 60_000];

export interface NewAppKey {
  readonly length: number | undefined;
  /** Days. Optional; default: none. */
  readonly expires: number | undefined;
}

/** New passwords for all clients; those of before are good no more. @throws ServiceError `invalid_params`, `not_found` */
export async function registerAppKey(
  dn: Dn,
  { length = usualLength, expires }: NewAppKey,
  call: PasswordView,
): Promise<void> {
  if (!appKeyLengths.some((one) => one === length))
    throw new ServiceError('invalid_params', {
      detail: `Parameter length is none of ${appKeyLengths.join(', ')}`,
    });
  const profile = await readProfile(dn, call);
  const appKey: AppKey = {
    secret: Buffer.from(call.random.bytes(32)).toString('base64url'),
    length,
    ...(expires !== undefined && { expires: call.clock.now() + expires * day }),
  };
  await swapData(profile, () => appKeyChanges(appKey), call);
}

/** Returns the application passwords by client. @throws ServiceError `not_found` if the user has none, or none that is valid */
export async function fetchAppKeys(dn: Dn, call: PasswordView): Promise<ReadonlyMap<string, string>> {
  const appKey = readAppKey((await readProfile(dn, call)).data);
  if (!appKey || !isInForce(appKey, call.clock.now()))
    throw new ServiceError('not_found', { detail: `No application passwords of LDAP object '${dn}'` });
  return new Map(Object.keys(call.config.clients).map((client) => [client, passwordFor(client, appKey)]));
}

/** False if there were none. */
export async function removeAppKey(dn: Dn, call: PasswordView): Promise<void | false> {
  const profile = await readProfile(dn, call);
  if (!readAppKey(profile.data)) return false;
  await swapData(profile, () => appKeyChanges(undefined), call);
}

/** @param minutes how long it is good @throws ServiceError `invalid_params`, `not_found` */
export async function registerTemporary(
  dn: Dn,
  { password, minutes }: { readonly password: string; readonly minutes: number },
  call: PasswordView,
): Promise<void> {
  if (password.length < 10 || password.length > 30)
    throw new ServiceError('invalid_params', { detail: 'Parameter password is not 10 to 30 characters' });
  const profile = await readProfile(dn, call);
  const salt = call.random.bytes(16);
  const temporary = {
    ...{ salt: Buffer.from(salt).toString('base64url'), hash: hashTemporary(password, salt) },
    expires: call.clock.now() + minutes * minute,
  };
  await swapData(profile, () => temporaryChanges(temporary), call);
}

/** False if there was none. */
export async function removeTemporary(dn: Dn, call: PasswordView): Promise<void | false> {
  const profile = await readProfile(dn, call);
  if (!readTemporary(profile.data)) return false;
  await swapData(profile, () => temporaryChanges(undefined), call);
}
