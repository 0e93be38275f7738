/** A role that is made at run time, judged by what judges those of a configuration. */
import { made } from '../table/schema/zod.ts';
import { assertNoProblem, check, type RoleConfig } from './config.ts';
import { unknownMethods } from './method-patterns.ts';
import type { ConfigWords } from './references.ts';
import { domainName, role } from './settings.ts';

const roleMap = made((z) => z.strictObject({ roles: z.record(domainName(), role()) }));

/** @throws ConfigError with every problem found, as in a configuration */
export function readRole(
  name: string,
  row: unknown,
  words: Pick<ConfigWords, 'names' | 'methods'>,
): RoleConfig {
  const { roles } = check(roleMap(), { roles: { [name]: row } });
  assertNoProblem(unknownMethods(['roles'], roles, words));
  return role().parse(roles[name]);
}

/** One that was judged when it was made; undefined: this version would not take it any more, or does not yet. */
export function readKeptRole(row: unknown): RoleConfig | undefined {
  return role().safeParse(row).data;
}
