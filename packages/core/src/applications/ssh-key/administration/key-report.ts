/** Reports on a user's SSH key: its type, fingerprint, public part and terms. */
import { createPublicKey, hash } from 'node:crypto';
import { readProfile } from '../../../directory/data/profile.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import { formatTimestamp } from '../../../foundation/text/timestamp.ts';
import { written } from '../../../table/schema/index.ts';
import { readKey, type StoredKey } from '../key-data.ts';
import { sshLine } from '../public-key.ts';
import { usesIn, usesKey } from '../uses.ts';
import type { KeyView } from './key-administration.ts';

export interface ReportedKey extends StoredKey {
  /** Sessions that began with it. */
  readonly used: number;
}

/** False: there is none. */
export async function keyOf(dn: Dn, view: KeyView): Promise<ReportedKey | false> {
  const { id, data } = await readProfile(dn, view);
  const key = readKey(data);
  return key ? { ...key, used: usesIn(await view.store.get(usesKey(id, key))) } : false;
}

const text = { type: 'string' };
const whole = { type: 'integer', minimum: 0 };

/** Moments in UTC, `YYYY-MM-DD HH:MM:SS`; `sessions`: that it is still good for. */
export const keyReport = () =>
  written(
    {
      oneOf: [
        {
          type: 'object',
          properties: {
            ...{ type: text, bits: whole, fingerprint: text, comment: text, pubkey: text },
            ...{ expires: text, sessions: whole },
          },
        },
        { const: false },
      ],
    },
    (key: ReportedKey | false) => key && tellKey(key),
  );

function tellKey({ type, spki, application, comment, expires, maxUse, used }: ReportedKey) {
  const pubkey = sshLine(spki, application);
  return {
    ...{ type, bits: bitsOf(spki) },
    ...(pubkey !== undefined && { fingerprint: fingerprintOf(pubkey), pubkey }),
    ...(comment !== undefined && { comment }),
    ...(expires !== undefined && { expires: formatTimestamp(expires) }),
    ...(maxUse !== undefined && { sessions: Math.max(0, maxUse - used) }),
  };
}

/** Returns the fingerprint that `ssh-keygen -l` prints: the digest in base64 without padding. @param line `ssh-ed25519 AAAA…` */
function fingerprintOf(line: string): string {
  const [, blob = ''] = line.split(' ', 2);
  return `SHA256:${hash('sha256', Buffer.from(blob, 'base64'), 'base64').replace(/=+$/, '')}`;
}

/** Counts the bits as `ssh-keygen -l` does; 0: the stored value is no key. */
function bitsOf(spki: Uint8Array): number {
  try {
    const { asymmetricKeyDetails: details = {} } = createPublicKey({
      ...{ key: Buffer.from(spki), format: 'der', type: 'spki' },
    });
    return details.modulusLength ?? curveBits[details.namedCurve ?? ''] ?? 256;
  } catch {
    return 0;
  }
}

/** Bits of curves by OpenSSL's names; Ed25519 has 256. */
const curveBits: Readonly<Record<string, number>> = { prime256v1: 256, secp384r1: 384, secp521r1: 521 };
