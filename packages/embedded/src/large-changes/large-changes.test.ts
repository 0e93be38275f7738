/** Large updates by the writer process, and the life of that process. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { parseFilter } from '../../../core/src/foundation/text/filter-text.ts';
import { bundle } from '../../../core/src/testing/bed/children/test-child.ts';
import { rounds } from '../../../core/src/testing/bed/measures/rounds.ts';
import { TestClock } from '../../../core/src/testing/test-clock.ts';
import {
  addMembers,
  administrators,
  base,
  named,
  openTestDirectory,
  person,
  type TestDirectory,
} from '../testing/test-directory.ts';
import { change, group, groupOf, names } from '../testing/test-group.ts';

vi.mock('node:child_process', { spy: true });

let opened: TestDirectory;
let clock: TestClock;
beforeEach(async () => {
  clock = new TestClock();
  opened = await openTestDirectory({ clock });
  vi.mocked(fork).mockClear();
});
afterEach(() => opened.dispose());

const sourceOf = (name: string) => fileURLToPath(new URL(`../testing/${name}.ts`, import.meta.url));
/** The started processes, in order. */
const processes = (): ChildProcess[] =>
  vi.mocked(fork).mock.results.flatMap(({ value }) => (value ? [value] : []));
function first(): ChildProcess {
  const [process] = processes();
  if (!process) throw new Error('there is no process');
  return process;
}
const membersIn = async ({ directory } = opened) =>
  (await directory.service.read(group, ['member']))?.attributes.get('member')?.map(String) ?? [];
/** Returns the members by the index, on which `memberOf` and rights depend. */
const membersByIndex = async (of: readonly string[]) => {
  const { service } = opened.directory;
  const filter = (dn: string) => parseFilter(`(&(cn=everybody)(member=${dn}))`);
  const found = await Promise.all(of.map((dn) => service.search({ base, scope: 'sub', filter: filter(dn) })));
  return of.filter((_, n) => found[n]?.length === 1);
};

async function killed(running: ChildProcess | undefined): Promise<void> {
  if (!running) throw new Error('there is no process');
  const ended = once(running, 'exit');
  running.kill('SIGKILL');
  await ended;
}

describe('large update', () => {
  it('is made by another process, without a transaction here', async () => {
    const write = vi.spyOn(opened.environment, 'write');
    const { service } = opened.directory;
    await service.add(group, groupOf(names(8000)));
    expect(await membersIn()).toEqual(names(8000));
    await service.modify(group, change('add', names(3, 'late')));
    expect(await membersIn()).toHaveLength(8003);
    await service.modify(group, change('delete', names(1500)));
    expect(await membersByIndex([...names(3), ...names(3, 'late')])).toEqual(names(3, 'late'));
    await service.rename(group, { rdn: [{ type: 'cn', value: 'all' }] });
    await service.remove(named('all'));
    expect(await service.read(named('all'))).toBeUndefined();
    expect(write).not.toHaveBeenCalled();
    expect(processes()).toHaveLength(1);
  });

  it('is recognized by the size of a text, and by the groups of an entry', async () => {
    const { service } = opened.directory;
    await service.add(group, groupOf([]));
    await service.add(named('user 0'), person());
    await service.modify(group, change('add', names(3000)));
    const write = vi.spyOn(opened.environment, 'write');
    await service.remove(named('user 0'));
    expect(await membersIn()).toEqual(names(3000).slice(1));
    await service.add(named('user 0'), person({ description: ['é'.repeat(100_000)] }));
    expect(write).not.toHaveBeenCalled();
  });

  it('has the time of the clock and a unique identifier', async () => {
    clock.advance(1000 * 60 * 60);
    await opened.directory.service.add(group, groupOf(names(3000)));
    await opened.directory.service.modify(group, change('delete', names(2000)));
    const entry = await opened.directory.service.read(group, [
      'createTimestamp',
      'entryUUID',
      'creatorsName',
    ]);
    expect(Object.fromEntries(entry?.attributes ?? [])).toEqual({
      createtimestamp: ['20261120130000Z'],
      entryuuid: [
        expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/),
      ],
      creatorsname: ['cn=service,dc=example,dc=org'],
    });
  });

  it('is refused with the errors of a small one, and by the rights of the identity', async () => {
    const { directory } = opened;
    const password = 'R3ad-only!';
    await directory.service.add(named('reader'), person({ userpassword: [password] }));
    await directory.service.add(group, groupOf(names(3000)));
    await expect(
      directory.service.modify(group, change('add', [...names(2, 'other'), ...names(1)])),
    ).rejects.toMatchObject({
      reason: 'value_exists',
      detail: 'modify/add: member: value #2 already exists',
    });
    const reader = await directory.bind(named('reader'), password);
    if (!reader.granted) throw new Error('the reader may not in');
    const attempt = () => reader.directory.modify(group, change('delete', names(2000)));
    const toProcess = vi.spyOn(first(), 'send');
    await expect(attempt()).rejects.toMatchObject({ reason: 'permission_denied' });
    expect(toProcess).not.toHaveBeenCalled();
    await directory.service.add(administrators, groupOf([named('reader').toString()]));
    await attempt();
    expect(await membersIn()).toHaveLength(1000);
  });

  it('is made in order with small updates', async () => {
    const { service } = opened.directory;
    await service.add(group, groupOf(names(1, 'first')));
    await service.modify(group, change('add', names(3000)));
    const small = Array.from({ length: 20 }, (_, n) =>
      service.modify(named(`entry ${n}`), []).catch(() => service.add(named(`entry ${n}`), person())),
    );
    const large = Array.from({ length: 5 }, (_, n) =>
      service.modify(group, change('add', names(10, `more ${n}`))),
    );
    await Promise.all([...small, ...large]);
    expect(await membersIn()).toHaveLength(1 + 3000 + 50);
    expect(processes()).toHaveLength(1);
  });
});

it('starts no process for small updates', async () => {
  await opened.directory.service.add(group, groupOf(names(100)));
  await opened.directory.service.modify(group, change('add', names(100, 'more')));
  await opened.directory.service.remove(group);
  expect(processes()).toEqual([]);
});

it('loses no update when two servers share the folder', async () => {
  await opened.directory.service.add(group, groupOf([]));
  const other = fork(sourceOf('members-child'), [opened.folder, 'theirs']);
  const ours = await addMembers(opened.directory.service, 'ours');
  if (other.exitCode === null) await once(other, 'exit');
  expect(other.exitCode).toBe(0);
  const all = [...ours, ...ours.map((name) => name.replace('ours', 'theirs'))];
  expect((await membersIn()).sort()).toEqual(all.sort());
});

describe('writer process', () => {
  it('leaves an update whole or unmade when it is killed, and is started again', async () => {
    const { service } = opened.directory;
    for (let round = 0; round < rounds(4, 60); round += 1) {
      await service.add(group, groupOf([]));
      await service.modify(group, change('add', names(1000, 'before')));
      const [before, after] = [names(1000, 'before'), names(6000)];
      const changing = service.modify(group, change('replace', after)).then(
        () => 'made',
        (error) => `${error.reason}: ${error.detail}`,
      );
      await wait((round * 37) % 300);
      await killed(processes().at(-1));
      const result = await changing;
      expect(result).toMatch(/^made$|^unavailable: the process that makes large changes has ended/);
      const left = await membersIn();
      expect([before.length, after.length]).toContain(left.length);
      if (result === 'made') expect(left).toEqual(after);
      const probes = [before, after].flatMap((each) => [0, 1, 500, 998, 999].flatMap((n) => each[n] ?? []));
      expect(await membersByIndex(probes)).toEqual(probes.filter((probe) => left.includes(probe)));
      await service.remove(group);
      expect(await membersByIndex(probes)).toEqual([]);
    }
  });

  it('makes its update when the directory is closed meanwhile, and ends', async () => {
    const { service } = opened.directory;
    const adding = service.add(group, groupOf(names(6000)));
    await vi.waitFor(() => expect(processes()).toHaveLength(1));
    const closing = opened.environment.close();
    await expect(adding).resolves.toBeUndefined();
    await closing;
    expect(processes().map(({ exitCode }) => exitCode)).toEqual([0]);
    await expect(service.remove(group)).rejects.toMatchObject({ reason: 'unavailable' });
    const again = await openTestDirectory({ folder: opened.folder });
    expect(await membersIn(again)).toEqual(names(6000));
    await again.dispose();
  });

  it('ends after a minute without updates, and is started again for the next', async () => {
    await opened.directory.service.add(group, groupOf(names(2000)));
    const [first] = processes();
    clock.advance(59_000);
    await opened.directory.service.modify(group, change('delete', names(1000)));
    clock.advance(59_000);
    expect([first?.connected, clock.repeating]).toEqual([true, 1]);
    clock.advance(1000);
    if (first?.exitCode === null) await once(first, 'exit');
    await vi.waitFor(() => expect([first?.exitCode, clock.repeating]).toEqual([0, 0]));
    await opened.directory.service.modify(group, change('add', names(1000)));
    expect(await membersIn()).toHaveLength(2000);
    expect(processes()).toHaveLength(2);
  });

  it('continues when a signal to stop reaches all processes', async () => {
    await opened.directory.service.add(group, groupOf(names(2000)));
    const [first] = processes();
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) first?.kill(signal);
    await opened.directory.service.remove(group);
    expect(processes()).toHaveLength(1);
  });

  it('fails the update when it cannot be started', async () => {
    const { fork: start } = await vi.importActual<typeof import('node:child_process')>('node:child_process');
    const { service } = opened.directory;
    for (const fail of [
      () => {
        throw new Error('no processes are left');
      },
      () => start('nothing.js', [], { execPath: '/nowhere/node' }),
    ]) {
      vi.mocked(fork).mockImplementationOnce(fail);
      await expect(service.add(group, groupOf(names(2000)))).rejects.toMatchObject({
        reason: 'unavailable',
        detail: 'the process that makes large changes cannot be started',
      });
      expect(await service.read(group)).toBeUndefined();
      clock.advance(5000);
    }
    await service.add(group, groupOf(names(2000)));
    expect(await membersIn()).toHaveLength(2000);
  });
});

describe('program', () => {
  it('ends while the writer process is idle', async () => {
    const running = fork(sourceOf('large-child'), [opened.folder, '3000']);
    const results: unknown[] = [];
    running.on('message', (words) => results.push(words));
    const [code] = await once(running, 'exit');
    expect([code, results]).toEqual([0, ['made', 'made']]);
    expect(await membersIn()).toEqual(names(3000));
  });

  it('leaves an update whole or unmade when it is killed', async () => {
    const running = fork(sourceOf('large-child'), [opened.folder, '20000']);
    await once(running, 'message');
    await wait(100);
    await killed(running);
    await opened.directory.service.add(named('somebody'), person());
    expect([0, 20_000]).toContain((await membersIn()).length);
  });

  it('reports the missing file when it is bundled as one file', async () => {
    const child = await bundle(new URL('../testing/large-child.ts', import.meta.url), { splitting: false });
    const running = child.start(opened.folder, '3000');
    const results: unknown[] = [];
    running.on('message', (words) => results.push(words));
    await once(running, 'exit');
    await child.dispose();
    expect(results[0]).toMatch(
      /^unavailable: the process that makes large changes cannot be started: Error: \S+large-changes-program\.mjs is not there: /,
    );
    expect(await membersIn()).toEqual([]);
  });
});
