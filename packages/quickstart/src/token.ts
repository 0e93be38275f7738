/** The token of a demo user, made on the first start in the directory and for an authenticator app. */
import { createSecretKey } from 'node:crypto';
import { fromBase32, type ServerConfig, type Service, ServiceError, StartError, totp } from '@watchword/core';
import type { Engines } from '@watchword/engines';
import type { DemoToken } from './demo-token.ts';
import type { NewPerson, Person } from './people.ts';

export interface NewToken {
  readonly token: DemoToken;
  /** The URI for authenticator apps: `otpauth://totp/…`. */
  readonly uri: string;
}

interface RegistrationView {
  readonly service: Pick<Service, 'manager'>;
  readonly config: ServerConfig;
  readonly engines: Engines;
  readonly admin: NewPerson;
}

/** Registers a token with a random secret, as any administrator would. @throws StartError */
export async function makeToken(user: Person, view: RegistrationView): Promise<NewToken> {
  try {
    const uri = await register(user, view);
    return { uri, token: readUri(uri) };
  } catch (cause) {
    if (!(cause instanceof ServiceError)) throw cause;
    throw new StartError(`A token for ${user.username} could not be made: ${cause.message}.`, { cause });
  }
}

async function register(
  { dn, username, domain }: Person,
  { service, config, engines, admin }: RegistrationView,
): Promise<string> {
  const name = config.manager_auth === 'DN' ? admin.dn : admin.username;
  const { manager, close } = await service.manager.login({ username: name, password: admin.password });
  try {
    const key = Buffer.from(engines.random.bytes(20)).toString('base64');
    await manager.Otp.TOTP_Register({ dn, key });
    const label = { name: username, userid: username, domain };
    return String(await manager.Otp.TOTP_URI({ ...label, key }));
  } finally {
    await close();
  }
}

/** Reads the token from the URI that the service has made. */
function readUri(uri: string): DemoToken {
  const { searchParams } = new URL(uri);
  const text = (name: string) => searchParams.get(name) ?? '';
  const shape = { digits: Number(text('digits')), period: Number(text('period')) };
  return { type: 'TOTP', secret: text('secret'), algorithm: text('algorithm'), ...shape };
}

/** The codes of this moment and of the one after it: each is good once, and a later one ends an earlier. */
export function nextCodes({ secret, digits, period }: DemoToken, now: number): readonly [string, string] {
  const source = { secret: createSecretKey(fromBase32(secret) ?? new Uint8Array()), digits, period };
  return [totp(source, now), totp(source, now + period * 1000)];
}
