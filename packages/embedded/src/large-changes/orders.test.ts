/** What comes out of an order that went to another process. */
import { expect, it } from 'vitest';
import { systemRandom } from '../../../node/src/machine/index.ts';
import { base, named } from '../testing/test-directory.ts';
import { headOf, Incoming } from './orders.ts';

const arrived = () => {
  const author = { by: base.toString(), now: 0, random: systemRandom };
  const access = { identity: base, trusted: true, writers: [] };
  const update = { kind: 'remove', dn: named('somebody') } as const;
  return new Incoming(headOf({ update, access, author })).whole().author.random;
};

it('brings random bytes for one name, and never the same again', () => {
  const random = arrived();
  expect(random.bytes(16)).toHaveLength(16);
  expect(() => random.bytes(16)).toThrow(expect.objectContaining({ reason: 'internal' }));
});

it('brings no fewer random bytes than are wanted', () => {
  expect(() => arrived().bytes(32)).toThrow(expect.objectContaining({ reason: 'internal' }));
  expect(() => arrived().bytes(8)).toThrow(expect.objectContaining({ reason: 'internal' }));
});
