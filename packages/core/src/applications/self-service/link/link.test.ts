import { expect, it } from 'vitest';
import { userLinksKey } from '../../../directory/entry/sessions.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import { findLink, type Link, linkFamily, putBack } from './link.ts';

const now = 1_800_000_000_000;
const token = 'A'.repeat(32);
const link: Link = {
  ...{ application: 'pwreset', dn: Dn.parse('uid=alice,dc=a'), id: 'id', expiresAt: now + 60_000 },
  ...{ name: { username: 'alice', domain: 'Default' }, needsSecondFactor: true, isUnauthenticated: true },
  seed: 'c2VlZA==',
};

it('stores a link under the property names of earlier versions, and reads it again', async () => {
  const values = new Map<string, Uint8Array>();
  const view = {
    ...{ clock: { now: () => now }, random: { bytes: () => Buffer.alloc(0) } },
    keys: {
      seal: (bytes: Uint8Array) => Buffer.from(bytes),
      open: (bytes: Uint8Array) => Buffer.from(bytes),
    },
    store: {
      get: async (key: string) => values.get(key),
      take: async (key: string) => values.get(key),
      put: async (key: string, value: Uint8Array) => void values.set(key, value),
      commit: () => Promise.reject(new Error('not used')),
    },
  };
  await putBack(token, link, view);
  const [key = '', value = Buffer.alloc(0)] = [...values][0] ?? [];
  expect(JSON.parse(Buffer.from(value).toString('utf8'))).toEqual({
    ...{ word: 'pwreset', dn: 'uid=alice,dc=a', id: 'id', ends: now + 60_000, seed: 'c2VlZA==' },
    ...{ name: { username: 'alice', domain: 'Default' }, needsFactor: true, isAlone: true },
  });
  const hashed = key.slice(linkFamily('pwreset').length + 1);
  values.set(userLinksKey('id'), Buffer.from(JSON.stringify([[hashed, link.expiresAt]])));
  const found = await findLink({ application: 'pwreset', token }, view);
  expect(found && { ...found, dn: found.dn.format() }).toEqual({ ...link, dn: 'uid=alice,dc=a' });
});
