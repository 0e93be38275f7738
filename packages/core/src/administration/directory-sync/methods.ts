/** The rows of the method table for directory sync: copies of another directory's objects. */
import { binaryAttributesAt } from '../../directory/binary-attributes.ts';
import { decodeAttributes } from '../../directory/entry/attributes.ts';
import { ServiceError } from '../../foundation/errors/errors.ts';
import { Dn } from '../../foundation/text/dn.ts';
import type { Attributes } from '../../foundation/text/value.ts';
import { method } from '../../table/method.ts';
import { choice, count, list, optional, success, text, valuesByName } from '../../table/schema/index.ts';
import { containerOf, type MirrorView, mirrorObject, removeGone } from './mirror.ts';

const people = 'ou=people,dc=branch,dc=example';

export const mirrorMethods = {
  Sync_LDAP_Object: method({
    summary:
      'Makes a copy of an object of another directory in `ou=sync`, or brings it up to date. `dn` and `uuid` are those that it has there; by `uuid` a copy is renamed with its object.',
    on: 'nothing',
    params: {
      dn: text(),
      attrs: valuesByName(),
      type: optional(choice('user', 'group')),
      uuid: optional(text()),
    },
    example: { dn: `uid=zoe,${people}`, attrs: { uid: 'zoe', mail: 'zoe@branch.example' }, type: 'user' },
    result: success(),
    permission: 'write',
    run: async ({ dn, attrs, type = 'user', uuid }, call: MirrorView) => {
      const isBinary = await binaryAttributesAt(containerOf(call), call);
      const attributes = withNumber(await decodeAttributes(attrs, isBinary));
      const id = uuid === undefined || uuid === '' ? undefined : uuid.toLowerCase();
      await mirrorObject({ remote: named(dn), uuid: id, type, attributes }, call);
    },
  }),
  Sync_LDAP_Delete: method({
    summary:
      'Removes the copies of what stood below a container of another directory and is not among `contents`, the DNs that are there still; `[""]` and `[]` remove all. Tells how many copies of it are left.',
    on: 'nothing',
    params: { container: text(), contents: list() },
    example: { container: people, contents: [`uid=zoe,${people}`] },
    result: count(),
    permission: 'write',
    run: ({ container, contents }, call: MirrorView) =>
      removeGone(Dn.parse(container), isNothing(contents) ? [] : contents.map(named), call),
  }),
} as const;

/** Clients in the field write that nothing is there as one empty text. */
const isNothing = (contents: readonly string[]): boolean => contents.length === 1 && contents[0] === '';

/** @throws ServiceError `invalid_dn` for what is none, and for the root */
function named(text: string): Dn {
  const dn = Dn.parse(text);
  if (dn.isRoot) throw new ServiceError('invalid_dn', { detail: 'the root is not an object' });
  return dn;
}

/** RFC 2307 calls it `gidNumber`. */
function withNumber(attributes: Attributes): Attributes {
  const number = attributes.get('gid');
  const rest = [...attributes].filter(([name]) => name !== 'gid');
  return number ? new Map([...rest, ['gidnumber', number]]) : attributes;
}
