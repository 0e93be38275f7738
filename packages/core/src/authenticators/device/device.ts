/**
 * FIDO2 devices of a user (WebAuthn Level 2): security keys, phones, passkeys. Each has a slot, and stands sealed among the
 * data of the entry: whoever may write there without the key ring adds none.
 */
import { hash } from 'node:crypto';
import type { StoredData } from '../../directory/data/data.ts';

export interface FidoDevice {
  /** 1 to 10. */
  readonly slot: number;
  /** The credential id, base64url. */
  readonly id: string;
  /** COSE_Key (RFC 9052), base64url. */
  readonly publicKey: string;
  /** The signature counter as it was registered; 0: the device may have none. */
  readonly counter: number;
  readonly isEnabled: boolean;
  /** As people call it. */
  readonly name?: string | undefined;
  /** In milliseconds since 1970. */
  readonly registered: number;
  /** How a browser reaches it: `usb`, `nfc`, `ble`, `internal`, `hybrid`. */
  readonly transports: readonly string[];
}

export const mostDevices = 10;

/** Under which the data of a user hold the device of a slot; the first has no number. */
export const deviceKey = (slot: number): string => `Otp.FIDODevice${slot === 1 ? '' : slot}`;

/** In the order of their slots. */
export function readDevices(data: StoredData): readonly FidoDevice[] {
  const devices: FidoDevice[] = [];
  for (let slot = 1; slot <= mostDevices; slot += 1) {
    const bytes = data.keys.includes(deviceKey(slot)) ? data.get(deviceKey(slot)) : undefined;
    if (bytes) devices.push({ ...JSON.parse(Buffer.from(bytes).toString('utf8')), slot });
  }
  return devices;
}

/** The first slot without a device; undefined: there is none. */
export function freeDeviceSlot(devices: readonly Pick<FidoDevice, 'slot'>[]): number | undefined {
  const taken = new Set(devices.map(({ slot }) => slot));
  const slots = Array.from({ length: mostDevices }, (_, index) => index + 1);
  return slots.find((slot) => !taken.has(slot));
}

export const writeDevice = ({ slot: _, ...device }: FidoDevice): Uint8Array =>
  Buffer.from(JSON.stringify(device));

/** Those that may log in. */
export const usableDevices = (data: StoredData): readonly FidoDevice[] =>
  readDevices(data).filter(({ isEnabled }) => isEnabled);

type Identity = Pick<FidoDevice, 'id' | 'publicKey'>;

/**
 * Names where the highest signature counter of a device is claimed, independent of the user. A credential id is no secret:
 * a forged client registers the id of another user's device with a key of its own. Id and key together are the device.
 */
export const deviceClaimKey = ({ id, publicKey }: Identity): string =>
  `fido:${hash('sha256', JSON.stringify([id, publicKey])).slice(0, 32)}`;

/** Names where the counter may have been claimed: also where it was while the id alone was the device. */
export const deviceClaimKeys = (device: Identity): readonly string[] => [
  deviceClaimKey(device),
  `fido:${hash('sha256', device.id).slice(0, 32)}`,
];
