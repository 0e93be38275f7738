/**
 * The stored record of a mobile session. Each part is written by one call only, so that concurrent calls do not overwrite each other.
 * Parts are sealed by the key ring and stored under a hash of the session id: a reader of the store finds neither the secret nor a usable
 * id.
 */

import { hash } from 'node:crypto';
import type { Claims } from '../../../authenticators/authenticator.ts';
import type { CodeShape, TypeAndState } from '../../../authenticators/token.ts';
import type { Algorithm } from '../../../foundation/oath/hotp.ts';

export interface MobileParts {
  readonly begun: {
    /** Milliseconds since 1970. */
    readonly since: number;
    /** Milliseconds since 1970: no confirmation from then on. */
    readonly ends: number;
    /** The only user that it registers a token for, as a DN. */
    readonly user?: string;
    /** The hash of the PIN that a confirmation needs. */
    readonly pincode?: string;
  };
  /** The token of the last URI for this session. */
  readonly offer: OfferedToken & {
    readonly uri: string;
    /** The URI is given out under a short address. */
    readonly short: boolean;
    /** Whom the URI names, as a DN. */
    readonly user: string;
  };
  /** The only token that it registers. */
  readonly owner: { readonly user: string; readonly slot: number };
  /** The registration that waits for the confirmation. */
  readonly pending: MobileToken & {
    readonly user: string;
    readonly slot: number;
    /** Milliseconds since 1970; when the token is to expire. */
    readonly expires: number | null;
    /** The hash of its codes, where the registration says it. */
    readonly algorithm?: Algorithm | undefined;
  };
  /** The end: the token that was scanned, or none. */
  readonly outcome: { readonly scanned: Scan | undefined };
}

/** The key is base64. */
export type MobileToken = { readonly key: string } & TypeAndState;

/** A token as its QR code says it. */
export type OfferedToken = MobileToken & { readonly shape: CodeShape };

/** A token that somebody has scanned: the code that shows it has used up `claim`. */
export type Scan = OfferedToken & {
  readonly claim: number;
  readonly device: Device;
};

/** The device as the app describes it. */
export interface Device {
  readonly id?: string;
  readonly model?: string;
  readonly serial?: string;
}

type Counter = 'tries' | 'confirmations' | 'owners';

const parts: readonly (keyof MobileParts)[] = ['begun', 'offer', 'owner', 'pending', 'outcome'];
const familyOf = (part: keyof MobileParts | Counter): string => `mobile-${part}`;

/** Families of the parts of mobile sessions in the store; the counters beside them are for these only. */
export const mobileFamilies: readonly string[] = parts.map(familyOf);

export class MobileRecord {
  readonly #claims: Claims;
  readonly #id: string;

  constructor(session: string, claims: Claims) {
    this.#claims = claims;
    this.#id = hash('sha256', session);
  }

  async read<P extends keyof MobileParts>(part: P): Promise<MobileParts[P] | undefined> {
    const key = this.#key(part);
    const sealed = await this.#claims.store.get(key);
    if (!sealed) return undefined;
    return JSON.parse(Buffer.from(this.#claims.keys.open(sealed, key)).toString('utf8')) as MobileParts[P];
  }

  async write<P extends keyof MobileParts>(part: P, value: MobileParts[P], seconds: number): Promise<void> {
    const key = this.#key(part);
    await this.#claims.store.put(
      key,
      this.#claims.keys.seal(Buffer.from(JSON.stringify(value)), key),
      seconds,
    );
  }

  async remove(part: keyof MobileParts): Promise<void> {
    await this.#claims.store.remove(this.#key(part));
  }

  /** One step of a counter, if that does not take it above `limit`: its new value, else undefined. */
  count(
    counter: Counter,
    step: { readonly by: number; readonly limit: number; readonly seconds: number },
  ): Promise<number | undefined> {
    return this.#claims.store.count(this.#key(counter), step);
  }

  #key(part: keyof MobileParts | Counter): string {
    return `${familyOf(part)}:${this.#id}`;
  }
}
