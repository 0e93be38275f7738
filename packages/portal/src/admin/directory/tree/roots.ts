/** The roots of the tree: the bases of the domains; for roles, their subtrees. */
import type { Manager } from '../../../api/manager.ts';
import { isSame, pathTo } from '../names.ts';

/** @throws CallError */
export async function readRoots(manager: Manager): Promise<readonly string[]> {
  const who = await manager.Who_Am_I({});
  const own = Object.values(who.roles).flatMap(({ subtrees }) => subtrees);
  return highest(who.super_admin ? await basesOf(manager) : own);
}

async function basesOf(manager: Manager): Promise<readonly string[]> {
  const domains = await manager.Get_Config_Objects({ type: 'domains', settings: true });
  return Object.values(domains).flatMap((domain) => (typeof domain === 'string' ? [] : (domain.base ?? [])));
}

/** Returns the bases without those below another, and each once. */
const highest = (bases: readonly string[]): readonly string[] =>
  bases.filter(
    (base, index) =>
      !bases.some((other, place) => (isSame(base, other) ? place < index : pathTo(base, other).length > 0)),
  );
