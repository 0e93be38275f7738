/** Whom FIDO2 devices log in to (WebAuthn Level 2 §4): the relying party of this installation, and the pages it has. */
import type { ServiceConfig } from '../../config/config.ts';
import { notConfigured } from '../../foundation/errors/errors.ts';

export interface RelyingParty {
  /** A domain: devices know it by that, for ever. */
  readonly id: string;
  /** As browsers show it. */
  readonly name: string;
  /** Pages that may ask; none: all of the domain over HTTPS. */
  readonly origins: readonly string[];
}

export interface RelyingPartyView {
  readonly config: Pick<ServiceConfig, 'relying_party'>;
}

/** @throws ServiceError `unavailable` where the configuration names none */
export function relyingPartyOf({ config }: RelyingPartyView): RelyingParty {
  const { relying_party: party } = config;
  if (!party)
    throw notConfigured(
      'FIDO2 needs relying_party in the configuration: the domain that the pages of the login have',
    );
  return { ...party, name: party.name ?? party.id };
}

/** Whether a page may ask for this relying party: what the browser says of it, WebAuthn §13.4.9. */
export function isOrigin(origin: string, { id, origins }: RelyingParty): boolean {
  if (origins.length > 0) return origins.includes(origin);
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname, origin: whole } = new URL(origin);
  const isSecure = protocol === 'https:' || (protocol === 'http:' && hostname === 'localhost');
  return isSecure && whole === origin && (hostname === id || hostname.endsWith(`.${id}`));
}
