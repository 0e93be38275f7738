/** Files that are no database any more, or not all of one, made of real ones: emptied, cut off, with flipped bits. */
import { copyFile, mkdir, open, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { StartError } from '../../../core/src/foundation/errors/start-error.ts';
import { Dn } from '../../../core/src/foundation/text/dn.ts';
import { scratchFolder } from '../../../core/src/testing/bed/scratch.ts';
import { systemClock, systemRandom } from '../../../node/src/machine/index.ts';
import { openDirectory, openEnvironment, openStore } from '../index.ts';
import { assertSound, holdsDatabase, stableProblem } from './database-file.ts';

const pageSize = 4096;
const base = Dn.parse('dc=example');
const all = { pages: Number.POSITIVE_INFINITY };

let opened: string;
/** The bytes of a sound database. */
let sound: Buffer;
beforeAll(async () => {
  opened = await scratchFolder('database');
  const folder = join(opened, 'made');
  const environment = await openEnvironment(folder);
  const directory = await openDirectory(environment, { base }, { clock: systemClock, random: systemRandom });
  await directory.importLdif(
    Array.from(
      { length: 600 },
      (_, n) =>
        `dn: ou=${n},${base}\nobjectClass: organizationalUnit\ndescription: ${'x'.repeat(1 + ((n * 37) % 7000))}\n\n`,
    ),
  );
  await environment.close();
  sound = await readFile(join(folder, 'data.mdb'));
});
afterAll(() => rm(opened, { recursive: true }));

let folder: string;
let file: string;
let count = 0;
beforeEach(async () => {
  count += 1;
  folder = join(opened, String(count));
  file = join(folder, 'data.mdb');
  await mkdir(folder, { mode: 0o700 });
  await writeFile(file, sound, { mode: 0o600 });
});

/** Puts bytes in the place of others. */
async function overwrite(position: number, bytes: Uint8Array): Promise<void> {
  await using handle = await open(file, 'r+');
  await handle.write(bytes, 0, bytes.length, position);
}

const flipped = (position: number, bit: number): Uint8Array =>
  Uint8Array.of((sound[position] ?? 0) ^ (1 << bit));

const refused = (how: string | RegExp) => ({
  rejects: async () => {
    const opening = openEnvironment(folder).then((environment) => environment.close());
    await expect(opening).rejects.toThrow(StartError);
    await expect(assertSound(folder)).rejects.toThrow(how);
  },
});

describe('assertSound', () => {
  it('accepts a sound database', async () => {
    await assertSound(folder, all);
    expect(await holdsDatabase(folder)).toBe(true);
  });

  it('accepts a new database and a copy, before and after the first change', async () => {
    const [made, copied] = [join(opened, 'new'), join(opened, 'copied')];
    const environment = await openEnvironment(made);
    await assertSound(made, all);
    for (let change = 0; change < 20; change += 1) {
      await openStore(environment, systemClock).put(`a:${change}`, Buffer.alloc(change * 999), 60);
      await assertSound(made, all);
    }
    await mkdir(copied);
    await environment.copy(copied);
    await assertSound(copied, all);
    await environment.close();
    const copy = await openEnvironment(copied);
    await openStore(copy, systemClock).put('b:1', Buffer.alloc(9), 60);
    await assertSound(copied, all);
    await copy.close();
  });

  it('accepts a file without pages that were freed unwritten, and refuses it when others are missing', async () => {
    const made = join(opened, 'given-back');
    const environment = await openEnvironment(made);
    const directory = await openDirectory(
      environment,
      { base },
      { clock: systemClock, random: systemRandom },
    );
    const group = base.child([{ type: 'cn', value: 'group' }]);
    const members = Array.from({ length: 8000 }, (_, n) => `cn=member ${n},${base}`);
    for (const count of [6000, 7000, 8000]) {
      const member = members.slice(0, count);
      const values = [['objectclass', ['groupOfNames']] as const, ['member', member] as const];
      await directory.service.add(group, new Map<string, readonly string[]>(values));
      await assertSound(made);
      await directory.service.remove(group);
      await assertSound(made);
    }
    await environment.close();
    await (await openEnvironment(made)).close();
    await truncate(join(made, 'data.mdb'), 20 * pageSize);
    await expect(assertSound(made)).rejects.toThrow('it is cut off');
  });

  it('accepts a database during writes', async () => {
    const environment = await openEnvironment(folder);
    const store = openStore(environment, systemClock);
    let isWriting = true;
    const writing = (async () => {
      for (let n = 0; isWriting; n += 1) await store.put(`a:${n % 40}`, Buffer.alloc((n * 977) % 30_000), 60);
    })();
    for (let check = 0; check < 300; check += 1) {
      await assertSound(folder, all);
      await new Promise((next) => setImmediate(next));
    }
    isWriting = false;
    await writing;
    await environment.close();
  });
});

describe('stableProblem', () => {
  const checks = (...seen: { commits: string; problem?: string }[]) => {
    const left = seen.values();
    return async () => left.next().value ?? { commits: 'checked once too often' };
  };

  it('ignores problems when a commit came between the checks', async () => {
    const apart = { commits: '5 8', problem: 'its two beginnings do not fit together' };
    const page = { commits: '9 8', problem: 'page 7 is not what it should be' };
    expect(await stableProblem(checks(apart, page, { commits: '9 10' }))).toBeUndefined();
  });

  it('returns the problem when no commit came between', async () => {
    const cut = { commits: 'undefined undefined', problem: 'it does not begin as a database does' };
    expect(await stableProblem(checks(cut, cut))).toBe(cut.problem);
  });
});

describe('assertSound of a damaged database', () => {
  it.each([
    [
      'emptied beside its lock file',
      async () => copyFile(join(opened, 'made', 'lock.mdb'), join(folder, 'lock.mdb')),
    ],
    ['emptied without its lock file', async () => {}],
  ])('refuses a database that was %s', async (_, prepare) => {
    await prepare();
    await truncate(file, 0);
    expect(await holdsDatabase(folder)).toBe(true);
    await refused('damaged (empty, and was not)').rejects();
  });

  it('accepts a database during creation, when both files are empty', async () => {
    await truncate(file, 0);
    await writeFile(join(folder, 'lock.mdb'), '');
    expect(await holdsDatabase(folder)).toBe(false);
    await assertSound(folder);
  });

  it.each([1, 100, pageSize, pageSize + 100])(
    'refuses a file that is cut off after %i bytes',
    async (length) => {
      await truncate(file, length);
      await refused('does not begin as a database does').rejects();
    },
  );

  it('refuses a file whose last page is missing', async () => {
    await truncate(file, sound.length - 1);
    await refused('it is cut off').rejects();
  });

  it.each([
    ['magic number', 24, 3, 'does not begin'],
    ['version', 28, 0, 'does not begin'],
    ['size of a page', 49, 4, 'does not begin'],
    ['last page', 149, 2, 'cut off'],
    ['number of the commit', 155, 6, 'do not fit together'],
  ])('refuses a flipped bit in the %s of either meta page', async (_, at, bit, how) => {
    for (const page of [0, pageSize]) {
      await writeFile(file, sound);
      await overwrite(page + at, flipped(page + at, bit));
      // The older meta page counts only if the newer one is lost.
      const isNewer = newest() === page;
      if (isNewer || !/cut off/.test(how)) await refused(how).rejects();
    }
  });

  it.each([
    // The lowest bits may lead to a former root: a page of the right kind.
    ['the root', 137],
    ['the depth', 102],
  ])('refuses a flipped bit in %s of its tables', async (_, at) => {
    const position = newest() + at;
    await overwrite(position, flipped(position, 0));
    await refused(/page \d+ is not what it should be/).rejects();
  });

  it('refuses any overwritten page that is in use', async () => {
    const zeros = Buffer.alloc(pageSize);
    let found = 0;
    for (let page = 2; page < sound.length / pageSize; page += 1) {
      await overwrite(page * pageSize, zeros);
      const checking = assertSound(folder, all);
      const isFound = await checking.then(
        () => false,
        (error: unknown) => error instanceof StartError && error.message.includes(`page ${page} `),
      );
      if (isFound) found += 1;
      await overwrite(page * pageSize, sound.subarray(page * pageSize, (page + 1) * pageSize));
    }
    // The rest are free pages, and later pages of long values.
    expect(found).toBeGreaterThan((sound.length / pageSize) * 0.5);
  });

  it('throws nothing but StartErrors, wherever a bit flips', async () => {
    let refusals = 0;
    for (let flip = 0; flip < 1500; flip += 1) {
      const position = (flip * 7919 * 31) % sound.length;
      await overwrite(position, flipped(position, flip % 8));
      await assertSound(folder, all).catch((error: unknown) => {
        expect(error).toBeInstanceOf(StartError);
        refusals += 1;
      });
      await overwrite(position, sound.subarray(position, position + 1));
    }
    expect(refusals).toBeGreaterThan(0);
  });

  it('checks the pages near the roots when pages are limited, and all of them otherwise', async () => {
    const pageNumbers = Array.from({ length: sound.length / pageSize - 2 }, (_, n) => n + 2);
    const isRefused = (pages: number) =>
      assertSound(folder, { pages }).then(
        () => false,
        () => true,
      );
    const counts = { limited: 0, all: 0 };
    for (const page of pageNumbers) {
      await overwrite(page * pageSize, Buffer.alloc(24));
      if (await isRefused(20)) counts.limited += 1;
      if (await isRefused(all.pages)) counts.all += 1;
      await overwrite(page * pageSize, sound.subarray(page * pageSize, page * pageSize + 24));
    }
    expect(counts.limited).toBe(20);
    expect(counts.all).toBeGreaterThan(100);
  });
});

/** Returns the position of the newer meta page. */
function newest(): number {
  return sound.readBigUInt64LE(152) > sound.readBigUInt64LE(pageSize + 152) ? 0 : pageSize;
}
