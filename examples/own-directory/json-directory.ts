/** A read-only directory: it answers from one JSON file, and refuses every write. */
import { binaryAttributeNames, type Dn, matchAll, ServiceError } from '@watchword/core/foundation';
import type { Directory, DirectoryServer, Entry, SearchRequest } from '@watchword/core/ports';
import { matches } from './filter.ts';
import { isPassword } from './password.ts';
import { readTree, typeOf } from './tree.ts';

type Tree = ReturnType<typeof readTree>;

/** RFC 4512 §3.4: given by name only. */
const operational = ['entryuuid', 'createtimestamp', 'memberof'];
const wrong = { granted: false, refusal: 'wrong_password' } as const;
const right = { granted: true, mustChange: false } as const;
const scopes = {
  base: (dn: Dn, base: Dn) => dn.equals(base),
  one: (dn: Dn, base: Dn) => dn.parent?.equals(base),
  sub: (dn: Dn, base: Dn) => dn.isWithin(base),
};
const refuse = async () => {
  throw new ServiceError('permission_denied', { detail: 'the directory is read-only' });
};
const writes = { add: refuse, modify: refuse, rename: refuse, remove: refuse, setPassword: refuse };

/** @param file is read now, and once more after each `clearCaches` */
export function openJsonDirectory(file: string): DirectoryServer {
  let kept: Tree | undefined = readTree(file);
  const { base } = kept;
  const tree = (): Tree => {
    kept ??= readTree(file);
    return kept;
  };
  const stored = (dn: Dn) => tree().entries.get(dn.key);
  const service = viewOf(base, tree);
  const authenticate: DirectoryServer['authenticate'] = async (dn, password, { requester } = {}) => {
    if (requester?.signal?.aborted) throw new ServiceError('unavailable');
    const isRight = await isPassword(password, stored(dn)?.password);
    return isRight && password !== '' ? right : wrong;
  };
  return {
    service,
    authenticate,
    bind: async (dn, password, requester) =>
      (await authenticate(dn, password, { requester })).granted
        ? { ...right, directory: viewOf(dn, tree) }
        : wrong,
    changePassword: async (dn, { old }) => ((await authenticate(dn, old)).granted ? refuse() : wrong.refusal),
    revision: async (dn) => stored(dn)?.revision,
    async *pages(request) {
      const all = await service.search({ ...request, scope: 'sub' });
      for (let at = 0; at < all.length; at += 100) yield all.slice(at, at + 100);
    },
    // Without the account schema, settings and data of users are kept in the store.
    capabilities: async () => ({ ...facts, service: base, base }),
    schema: async () => tree().schema,
    binaryAttributes: async () => binaryAttributeNames(tree().schema.attributeTypes),
    probe: async () => void tree(),
    setWriters: () => {},
    clearCaches: () => {
      kept = undefined;
    },
    close: async () => {},
  };
}

const facts = {
  vendor: 'other',
  accountSchema: false,
  identifier: 'entryuuid',
  mustChangeAttribute: undefined,
} as const;

/** The directory as one identity sees it: everybody reads all of it. */
function viewOf(identity: Dn, read: () => Tree): Directory {
  let isOpen = true;
  const search = async ({ base, scope, filter, attributes, limit = Infinity, partial }: SearchRequest) => {
    const { entries } = read();
    if (!isOpen) throw new ServiceError('unavailable', { detail: 'the connection is closed' });
    if (!entries.has(base.key)) throw new ServiceError('not_found');
    const found = [...entries.values()].filter(
      (entry) => scopes[scope](entry.dn, base) && matches(filter, entry.attributes),
    );
    if (found.length > limit && !partial) throw new ServiceError('too_large');
    const wanted = attributes?.map(typeOf);
    const isShown = ([type]: readonly [string, unknown]) =>
      wanted?.includes(type) ?? !operational.includes(type);
    return found.slice(0, limit).map(
      (entry): Entry => ({
        dn: entry.dn.format(),
        attributes: new Map([...entry.attributes].filter(isShown)),
      }),
    );
  };
  return {
    ...writes,
    assertWritable: refuse,
    identity,
    search,
    async children({ limit, after, ...request }) {
      const all = await search({ ...request, scope: 'one' });
      const start = after === undefined ? 0 : all.findIndex(({ dn }) => dn === after) + 1;
      if (after !== undefined && start === 0) throw new ServiceError('invalid_params');
      const entries = all.slice(start, start + limit);
      return { entries, next: start + limit < all.length ? entries.at(-1)?.dn : undefined };
    },
    async read(dn, attributes) {
      if (isOpen && !read().entries.has(dn.key)) return undefined;
      const request = { base: dn, scope: 'base', filter: matchAll } as const;
      return (await search(attributes ? { ...request, attributes } : request))[0];
    },
    close: async () => {
      isOpen = false;
    },
  };
}
