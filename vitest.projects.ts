/** What a lane of tests runs, in two projects: most share workers. */
import { defineConfig } from 'vitest/config';
import base from './vitest.base.config.ts';

/**
 * Tests that have a worker of their own: what they measure is the process, or they change what all of it has, or a browser or whole
 * installations take so long that loading the sources is nothing beside it. Of the others a worker runs one file after another, and
 * loads the sources once: nothing of one stays for the next.
 */
const alone = {
  /** Those that another Node runs, too. */
  runtime: [
    'test/{installed,overload}/**/*.test.ts',
    'packages/embedded/src/{large-groups,passwords/*}.test.ts',
    'packages/ldap/src/faults.test.ts',
    'packages/node/src/machine/memory.test.ts',
    'packages/server-manager/src/main.test.ts',
  ],
  others: [
    // The first of its kind in a process.
    'packages/core/src/foundation/qr/first-picture.test.ts',
    'test/limits/million-names.test.ts',
    'test/traces/**/*.test.ts',
    'test/web-clients/clients.test.ts',
    'packages/embedded/src/large-changes/**/*.test.ts',
    'packages/ldap/src/server/**/*.test.ts',
    'packages/portal/test/**/*.test.ts',
    'test/{guides,nodes,operator,start}/**/*.test.ts',
  ],
};

interface Lane {
  readonly include: string[];
  readonly exclude: string[];
  readonly typecheck: object;
}

const ownOf = {
  all: [...alone.runtime, ...alone.others],
  runtime: alone.runtime,
  brief: [
    'test/installed/{at-rest,conversations,entry-points,large-changes}.test.ts',
    'packages/server-manager/src/main.test.ts',
  ],
};

/** @param name of the lane: all that there is, what meets the runtime, or the brief part of that */
export function laneOf(name: keyof typeof ownOf, { include, exclude, typecheck }: Lane) {
  const own = ownOf[name];
  const { include: _, exclude: __, typecheck: ___, ...test } = base.test ?? {};
  const together = { name: 'together', isolate: false, include, exclude: [...exclude, ...own], typecheck };
  const apart = { name: 'alone', include: own, exclude };
  return defineConfig({
    ...base,
    test: {
      ...test,
      projects: [together, apart].map((project) => ({ ...base, test: { ...test, ...project } })),
    },
  });
}
