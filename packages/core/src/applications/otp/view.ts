/** Contexts of the administration of tokens, lists and codes, from narrow to wide: a function takes the narrowest. */

import type { TimedClaims } from '../../authenticators/authenticator.ts';
import type { ServiceConfig } from '../../config/config.ts';
import type { Domains } from '../../directory/domain.ts';
import type { TrialView } from '../../directory/entry/judged.ts';
import type { ProfileContext } from '../../directory/view.ts';
import type { Limits } from '../../limits/limits.ts';
import type { Clock } from '../../ports/clock.ts';
import type { KeyRing } from '../../ports/keys.ts';
import type { Log } from '../../ports/log/log.ts';
import type { Random } from '../../ports/random.ts';
import type { YubicoVerification } from '../../ports/sending/yubico-verification.ts';
import type { Names } from '../../table/dialect.ts';
import type { IssuerView } from '../phone/issuer.ts';

/** Tokens on their way to an entry. */
export interface RegistrationView extends ProfileContext, TimedClaims {
  readonly keys: KeyRing;
  readonly limits: Pick<Limits, 'forgetCodes'>;
}

/** Yubikeys that a verification server knows. */
export interface CloudView extends RegistrationView {
  readonly yubico?: YubicoVerification | undefined;
}

/** Tokens on an entry, as an administrator changes them and tries their codes. */
export interface TokenView extends RegistrationView, TrialView {
  readonly config: Pick<ServiceConfig, 'schema' | 'limits'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: Pick<Limits, 'admit' | 'commit' | 'leave' | 'forgetCodes' | 'wrongCodes'>;
}

/** Users found by a login name. */
export interface NamedView extends ProfileContext {
  readonly domains: Domains;
}

/** Addresses by which apps and phones reach this installation. */
export interface Addresses {
  readonly names: Names;
  readonly config: Pick<ServiceConfig, 'ws_url' | 'manager_url'>;
}

/** URIs of tokens, by the settings of the user whom they name. */
export interface UriView extends NamedView, TimedClaims, Addresses, IssuerView {
  readonly names: Names;
  readonly keys: KeyRing;
  readonly config: Pick<ServiceConfig, 'schema' | 'ws_url' | 'manager_url' | 'relying_party'>;
}

/** Prefixes of codes, made up where none is wanted. */
export interface PrefixView extends ProfileContext {
  readonly random: Random;
}
