/** FIDO2 devices of a user (WebAuthn Level 2), and the relying party of this installation, where they log in. */
import { hash } from 'node:crypto';
import type { ServiceConfig } from '../config/config.ts';
import type { StoredData } from '../directory/data/data.ts';
import { notConfigured, ServiceError } from '../foundation/errors/errors.ts';

/** A security key, a phone or a passkey. It is kept sealed on the entry: no device can be added without the key ring. */
export interface FidoDevice {
  /** 1 to 10. */
  readonly slot: number;
  /** The credential id, base64url. */
  readonly id: string;
  /** COSE_Key (RFC 9052), base64url. */
  readonly publicKey: string;
  /** The signature counter at registration; 0: the device may have no counter. */
  readonly counter: number;
  readonly isEnabled: boolean;
  /** The name that the user gave it. */
  readonly name?: string | undefined;
  /** Milliseconds since 1970. */
  readonly registered: number;
  /** The ways in which a browser reaches it: `usb`, `nfc`, `ble`, `internal`, `hybrid`. */
  readonly transports: readonly string[];
}

export const mostDevices = 10;
const slots = Array.from({ length: mostDevices }, (_, index) => index + 1);

/** Returns the key of a slot in the data of a user. The first slot has no number. */
export const deviceKey = (slot: number): string => `Otp.FIDODevice${slot === 1 ? '' : slot}`;

/** Reads the devices of a user, in the order of their slots. */
export function readDevices(data: StoredData): readonly FidoDevice[] {
  const devices: FidoDevice[] = [];
  for (const slot of slots) {
    const bytes = data.keys.includes(deviceKey(slot)) ? data.get(deviceKey(slot)) : undefined;
    if (bytes) devices.push({ ...JSON.parse(Buffer.from(bytes).toString('utf8')), slot });
  }
  return devices;
}

/** Returns the first slot without a device. @returns undefined if every slot has one */
export function freeDeviceSlot(devices: readonly Pick<FidoDevice, 'slot'>[]): number | undefined {
  const taken = new Set(devices.map(({ slot }) => slot));
  return slots.find((slot) => !taken.has(slot));
}

export const writeDevice = ({ slot: _, ...device }: FidoDevice): Uint8Array =>
  Buffer.from(JSON.stringify(device));

/** Reads the devices that may log in. */
export const usableDevices = (data: StoredData): readonly FidoDevice[] =>
  readDevices(data).filter(({ isEnabled }) => isEnabled);

type Identity = Pick<FidoDevice, 'id' | 'publicKey'>;

/**
 * Names the claims of a device's signature counter, independent of the user. A credential id is no secret: a forged client can
 * register the id of another user's device with a key of its own. So id and key together identify the device.
 */
export const deviceClaimKey = ({ id, publicKey }: Identity): string =>
  `fido:${hash('sha256', JSON.stringify([id, publicKey])).slice(0, 32)}`;

/** Names every key under which the counter may have been claimed. Earlier versions identified a device by its id alone. */
export const deviceClaimKeys = (device: Identity): readonly string[] => [
  deviceClaimKey(device),
  `fido:${hash('sha256', device.id).slice(0, 32)}`,
];

/** Bytes of a challenge: WebAuthn §13.4.3 wants 16. */
const challengeLengths = { least: 16, most: 64 };

/** Encodes the challenge of a registration. @returns base64url @throws ServiceError `invalid_params` naming `random` */
export function challengeOf(random: Uint8Array): string {
  const { least, most } = challengeLengths;
  if (random.length < least || random.length > most)
    throw new ServiceError('invalid_params', { detail: `Parameter random is not ${least} to ${most} bytes` });
  return Buffer.from(random).toString('base64url');
}

/** Returns 32 bytes that identify a user on its devices and reveal nothing of it. @param id of the entry */
export const handleOf = (id: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(hash('sha256', id, 'buffer'));

/** Returns the JSON of a browser's response. @param response JSON, or base64 of it */
export const jsonIn = (response: string): string =>
  response.trimStart().startsWith('{') ? response : Buffer.from(response, 'base64').toString('utf8');

/** The relying party of WebAuthn Level 2 §4. */
export interface RelyingParty {
  /** The domain by which devices know it, for ever. */
  readonly id: string;
  /** The name that browsers show. */
  readonly name: string;
  /** Pages that may ask; none: all pages of the domain over HTTPS. */
  readonly origins: readonly string[];
}

export interface RelyingPartyContext {
  readonly config: Pick<ServiceConfig, 'relying_party'>;
}

/** Reads the relying party from the configuration. @throws ServiceError `unavailable` if the configuration names none */
export function relyingPartyOf({ config }: RelyingPartyContext): RelyingParty {
  const { relying_party: party } = config;
  if (!party)
    throw notConfigured(
      'FIDO2 needs relying_party in the configuration: the domain that the pages of the login have',
    );
  return { ...party, name: party.name ?? party.id };
}

/** Returns whether a page may ask for this relying party. @param origin of the page, as the browser reports it (WebAuthn §13.4.9) */
export function isOrigin(origin: string, { id, origins }: RelyingParty): boolean {
  if (origins.length > 0) return origins.includes(origin);
  if (!URL.canParse(origin)) return false;
  const { protocol, hostname, origin: whole } = new URL(origin);
  const isSecure = protocol === 'https:' || (protocol === 'http:' && hostname === 'localhost');
  return isSecure && whole === origin && (hostname === id || hostname.endsWith(`.${id}`));
}
