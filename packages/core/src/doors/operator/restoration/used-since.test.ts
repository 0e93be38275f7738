import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { type CodeList, emergencyChanges, emergencyOf, listChanges } from '../../../authenticators/lists.ts';
import { tokenChanges } from '../../../authenticators/token-data.ts';
import type { DataChanges } from '../../../directory/data/data.ts';
import { KeyRing } from '../../../ports/keys.ts';
import { closeUsed, noteTargets } from './used-since.ts';

const secret = Buffer.from('12345678901234567890');
const random = { bytes: (count: number) => randomBytes(count) };
const owner = { entry: 'alice', keys: new KeyRing([randomBytes(32)], random as never) };
const hotp = tokenChanges(1, { type: 'HOTP', secret, state: { counter: 5 } });
const listOf = (used: readonly number[]): CodeList => ({ secret, digits: 6, size: 2, used: new Set(used) });

describe('data of an older copy', () => {
  it('raises the counter of a HOTP token above all uses since, and only once', async () => {
    const data = stored(hotp);
    const targets = await targetsOf(data);
    expect([...targets.values()]).toEqual([16]);
    const { changes, closed } = closeUsed(data, owner, targets);
    expect(changes).toEqual(tokenChanges(1, { state: { counter: 16 } }));
    expect(closed).toEqual({ tokens: 1, lists: 0, emergencies: 0 });
    expect(closeUsed(stored(hotp, changes), owner, targets)).toEqual(nothing);
  });

  it('never sets a counter back', async () => {
    const targets = await targetsOf(stored(hotp));
    const ahead = stored(tokenChanges(1, { type: 'HOTP', secret, state: { counter: 40 } }));
    expect(closeUsed(ahead, owner, targets)).toEqual(nothing);
  });

  it('leaves a TOTP token and a token of a verification server', async () => {
    const data = stored(
      tokenChanges(1, { type: 'TOTP', secret, state: { step: 0, drift: 0 } }),
      tokenChanges(2, { type: 'YUBICLOUD', id: 'cccccccccccb' }),
    );
    const targets = await targetsOf(data);
    expect(targets.size).toBe(0);
    expect(closeUsed(data, owner, targets)).toEqual(nothing);
  });

  it('loses a list that has a code left, and only then', () => {
    const open = closeUsed(stored(listChanges(listOf([0]))), owner, new Map());
    expect(open.changes).toEqual(listChanges(undefined));
    expect(open.closed).toEqual({ tokens: 0, lists: 1, emergencies: 0 });
    expect(closeUsed(stored(listChanges(listOf([0, 1]))), owner, new Map())).toEqual(nothing);
  });

  it('loses an emergency password', () => {
    const emergency = emergencyOf('help-me-now', { start: 0, end: 1000, uses: 3 });
    const { changes, closed } = closeUsed(stored(emergencyChanges(emergency)), owner, new Map());
    expect(changes).toEqual(emergencyChanges(undefined));
    expect(closed).toEqual({ tokens: 0, lists: 0, emergencies: 1 });
  });
});

const nothing = { changes: new Map(), closed: { tokens: 0, lists: 0, emergencies: 0 } };

const targetsOf = (data: ReturnType<typeof stored>) =>
  noteTargets(data, owner, { uses: 10, note: async (_, target) => target });

function stored(...all: readonly DataChanges[]) {
  const values = new Map<string, Uint8Array>();
  for (const [key, value] of all.flatMap((each) => [...each])) if (value) values.set(key, value);
  return { keys: [...values.keys()], get: (key: string) => values.get(key) };
}
