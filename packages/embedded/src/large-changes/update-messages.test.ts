import { expect, it } from 'vitest';
import { systemRandom } from '../../../node/src/machine/index.ts';
import { base, named } from '../testing/test-directory.ts';
import { headOf, IncomingRequest } from './update-messages.ts';

const arrived = () => {
  const author = { by: base.toString(), now: 0, random: systemRandom };
  const access = { identity: base, trusted: true, writers: [] };
  const update = { kind: 'remove', dn: named('somebody') } as const;
  return new IncomingRequest(headOf({ update, access, author })).request().author.random;
};

it('provides random bytes once', () => {
  const random = arrived();
  expect(random.bytes(16)).toHaveLength(16);
  expect(() => random.bytes(16)).toThrow(expect.objectContaining({ reason: 'internal' }));
});

it('refuses to provide fewer random bytes', () => {
  expect(() => arrived().bytes(32)).toThrow(expect.objectContaining({ reason: 'internal' }));
  expect(() => arrived().bytes(8)).toThrow(expect.objectContaining({ reason: 'internal' }));
});
