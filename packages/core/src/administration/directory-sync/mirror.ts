/**
 * Directory sync: stores copies of objects of another directory in `ou=sync`, each under its own RDN. A program that reads the other
 * directory calls it.
 */

import type { BinaryView } from '../../directory/binary-attributes.ts';
import { type WrittenValuesView, writeJudged } from '../../directory/data/written-values.ts';
import type { Domains } from '../../directory/domain.ts';
import { setAttributes } from '../../directory/entry/attributes.ts';
import { existingObject, missingContainer, onEntry, texts } from '../../directory/entry/entry.ts';
import { entryIdentifier } from '../../directory/entry/identifier.ts';
import { endSessions, type SessionEndingView } from '../../directory/entry/sessions.ts';
import type { EntryView } from '../../directory/view.ts';
import { isReason, ServiceError } from '../../foundation/errors/errors.ts';
import { Dn } from '../../foundation/text/dn.ts';
import { valuesOfName } from '../../foundation/text/rdn.ts';
import {
  type Attributes,
  type AttributeValue,
  isSecretAttribute,
  valueKey,
} from '../../foundation/text/value.ts';
import type { EffectiveRights } from '../access/effective-rights.ts';
import {
  type CopiesView,
  type Copy,
  copiesBelow,
  copyAt,
  forgetCopy,
  isSameOrigin,
  keepCopy,
  type Origin,
} from './record.ts';

/** Entries as an administrator sees and changes them, and where the copies are. */
export interface MirrorView extends EntryView, WrittenValuesView, Omit<SessionEndingView, 'store'> {
  readonly store: CopiesView['store'] & SessionEndingView['store'];
  readonly keys: CopiesView['keys'];
  readonly server: EntryView['server'] & BinaryView['server'] & SessionEndingView['server'];
  readonly domains: Pick<Domains, 'preset'>;
  readonly rights: Pick<EffectiveRights, 'isSuperAdmin' | 'roles'>;
}

export interface MirroredObject extends Origin {
  readonly type: 'user' | 'group';
  readonly attributes: Attributes;
}

/**
 * `ou=sync` where the administrator is one: below the subtree of its roles, or the default domain's base.
 * @throws ServiceError `permission_denied` where its roles have several subtrees
 */
export function containerOf({ rights, domains }: Pick<MirrorView, 'rights' | 'domains'>): Dn {
  const subtrees = rights.isSuperAdmin ? [] : rights.roles.flatMap(({ subtrees = [] }) => subtrees);
  const [base = domains.preset.base, ...others] = new Map(subtrees.map((dn) => [dn.key, dn])).values();
  if (others.length > 0)
    throw new ServiceError('permission_denied', { detail: 'your roles stand in several places' });
  return base.child([{ type: 'ou', value: 'sync' }]);
}

/**
 * Makes or updates the copy; attributes that are not named stay.
 * @throws ServiceError `already_exists` where another object has a copy of this name; `not_found` where `ou=sync` is missing
 */
export async function mirrorObject(object: MirroredObject, call: MirrorView): Promise<void> {
  const local = containerOf(call).child(object.remote.rdn);
  const known = await copyAt(local, call);
  const entry = await identifierAt(local, call);
  if (known && entry === known.entry && !isSameOrigin(known, object))
    throw existingObject(local, new Error(`it is the copy of ${known.remote}`));
  if (entry === undefined && !(await followName(object, local, call))) await create(object, local, call);
  else await update(object, local, call);
  const { remote, uuid = known?.uuid } = object;
  await keepCopy({ remote, uuid, local, entry: await entryIdentifier(local, call) }, call);
}

/** Undefined: there is no such entry. */
async function identifierAt(dn: Dn, call: MirrorView): Promise<string | undefined> {
  const there = await call.directory.read(dn, ['1.1']);
  return there && entryIdentifier(dn, call);
}

/** The copy of an object that has another RDN now is renamed. False: there is no such copy. */
async function followName({ uuid, remote }: MirroredObject, local: Dn, call: MirrorView): Promise<boolean> {
  if (uuid === undefined) return false;
  const before = await find(({ uuid: own }) => own === uuid, local, call);
  if (!before || (await identifierAt(before.local, call)) !== before.entry) return false;
  const { rdn } = remote;
  const write = () => onEntry('rename', before.local, () => call.directory.rename(before.local, { rdn }));
  await writeJudged(before.local, { values: valuesOfName(rdn), add: true }, { call, write });
  await forgetCopy(before, call);
  return true;
}

async function find(
  isWanted: (copy: Copy) => boolean,
  { parent = Dn.root }: Dn,
  call: MirrorView,
): Promise<Copy | undefined> {
  for await (const copy of copiesBelow(parent, call)) if (isWanted(copy)) return copy;
  return undefined;
}

async function create({ type, attributes }: MirroredObject, local: Dn, call: MirrorView): Promise<void> {
  try {
    const given = completed(attributes, type, local);
    const write = () => onEntry('create', local, () => call.directory.add(local, given));
    const values = [...given, ...valuesOfName(local.rdn)];
    await writeJudged(local, { values, add: false }, { call, write });
  } catch (error) {
    // Somebody else was faster with the same object.
    if (isReason(error, 'already_exists')) return update({ attributes }, local, call);
    throw isReason(error, 'not_found') ? missingContainer(local.parent ?? local) : error;
  }
}

/** Adds the attributes that an entry needs here and the caller need not send. */
function completed(given: Attributes, type: MirroredObject['type'], local: Dn): Attributes {
  const attributes = new Map(given);
  const has = (...names: readonly string[]) => names.every((name) => attributes.has(name));
  const lacks = (name: string, values: readonly AttributeValue[]) =>
    has(name) || attributes.set(name, values);
  const name = local.rdn[0]?.value ?? '';
  lacks('cn', [name]);
  if (type === 'group') lacks('objectclass', [has('gidnumber') ? 'posixGroup' : 'groupOfNames']);
  else {
    const isPosix = has('uid', 'uidnumber', 'gidnumber', 'homedirectory');
    lacks('sn', [name]);
    lacks('objectclass', isPosix ? ['inetOrgPerson', 'posixAccount'] : ['inetOrgPerson']);
  }
  return attributes;
}

/** Classes are only added: what the copy is here beside, an activated user for one, it stays. */
async function update(
  { attributes }: Pick<MirroredObject, 'attributes'>,
  local: Dn,
  call: MirrorView,
): Promise<void> {
  const { objectclass: _, ...rest } = Object.fromEntries(attributes);
  const classes = attributes.get('objectclass') ?? [];
  const before = await call.directory.read(local, ['objectclass', ...Object.keys(rest)]);
  const had = new Set((before ? texts(before, 'objectclass') : []).map((name) => name.toLowerCase()));
  const added = classes.filter((name) => typeof name !== 'string' || !had.has(name.toLowerCase()));
  const changed = Object.entries(rest).filter(
    ([name, values]) => !isSame(before?.attributes.get(name), values),
  );
  await onEntry('update', local, async () => {
    const classesAdded = { attributes: new Map([['objectclass', added]]), add: true };
    const write = async () => {
      if (added.length > 0) await setAttributes(call.directory, local, classesAdded);
      if (changed.length > 0)
        await setAttributes(call.directory, local, { attributes: new Map(changed), add: false });
    };
    await writeJudged(local, { values: changed, add: false }, { call, write });
  });
  if (changed.some(([name]) => isSecretAttribute(name))) await endSessions(local, call);
}

function isSame(before: readonly AttributeValue[] = [], after: readonly AttributeValue[]): boolean {
  const had = new Set(before.map(valueKey));
  return before.length === after.length && after.every((value) => had.has(valueKey(value)));
}

/**
 * Removes the copies of what stood below a container of the other directory, and is not among its contents any more.
 * @returns how many copies of it are left
 */
export async function removeGone(container: Dn, contents: readonly Dn[], call: MirrorView): Promise<number> {
  const there = new Set(contents.map(({ key }) => key));
  let left = 0;
  const gone: Copy[] = [];
  for await (const copy of copiesBelow(containerOf(call), call)) {
    if (!copy.remote.isWithin(container)) continue;
    if (there.has(copy.remote.key)) left += 1;
    else gone.push(copy);
  }
  for (const copy of gone) {
    // Another entry may have the name by now.
    if ((await identifierAt(copy.local, call)) === copy.entry)
      await onEntry('remove', copy.local, () => call.directory.remove(copy.local));
    await forgetCopy(copy, call);
  }
  return left;
}
