/** Refusals of large updates, their queue, and failures of the writer process. */
import { type ChildProcess, fork } from 'node:child_process';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { TestClock } from '../../../core/src/testing/test-clock.ts';
import { systemRandom } from '../../../node/src/machine/index.ts';
import { openTables } from '../storage/snapshot.ts';
import { base, named, openTestDirectory, person, type TestDirectory } from '../testing/test-directory.ts';
import { change, group, groupOf, names } from '../testing/test-group.ts';
import { LargeChanges } from './large-changes.ts';

vi.mock('node:child_process', { spy: true });

let opened: TestDirectory;
let clock: TestClock;
beforeEach(async () => {
  clock = new TestClock();
  opened = await openTestDirectory({ clock });
  vi.mocked(fork).mockClear();
});
afterEach(() => opened.dispose());

/** The started processes, in order. */
const processes = (): ChildProcess[] =>
  vi.mocked(fork).mock.results.flatMap(({ value }) => (value ? [value] : []));
function first(): ChildProcess {
  const [process] = processes();
  if (!process) throw new Error('there is no process');
  return process;
}
const membersIn = async () =>
  (await opened.directory.service.read(group, ['member']))?.attributes.get('member')?.map(String) ?? [];

describe('large update', () => {
  it('is refused without the right to write, and starts no process', async () => {
    const { directory } = opened;
    const password = 'R3ad-only!';
    await directory.service.add(named('reader'), person({ userpassword: [password] }));
    const reader = await directory.bind(named('reader'), password);
    if (!reader.granted) throw new Error('the reader may not in');
    const adding = reader.directory.add(group, groupOf(names(3000)));
    await expect(adding).rejects.toMatchObject({ reason: 'permission_denied' });
    expect(processes()).toEqual([]);
  });

  it('is refused when the right was revoked after the bind', async () => {
    const { directory } = opened;
    const password = 'R3ad-wr1te!';
    await directory.service.add(named('writer'), person({ userpassword: [password] }));
    const writers = named('writers');
    await directory.service.add(writers, groupOf([named('writer').format()]));
    directory.setWriters([writers]);
    const writer = await directory.bind(named('writer'), password);
    if (!writer.granted) throw new Error('the writer may not in');
    await writer.directory.add(group, groupOf(names(3000)));
    await directory.service.remove(writers);
    for (const values of [names(1, 'one'), names(3000, 'many')])
      await expect(writer.directory.modify(group, change('add', values))).rejects.toMatchObject({
        reason: 'permission_denied',
      });
    expect(await membersIn()).toEqual(names(3000));
  });

  it('is refused after the database was closed, and starts no process', async () => {
    const { environment } = opened;
    const place = { environment, tables: openTables(environment), base };
    const changes = new LargeChanges(place, { clock });
    await environment.close();
    const author = { by: base.toString(), now: clock.now(), random: systemRandom };
    const access = { identity: base, trusted: true, writers: [] };
    const update = { kind: 'add', dn: group, attributes: groupOf(names(3000)) } as const;
    await expect(changes.make({ update, access, author })).rejects.toMatchObject({
      reason: 'unavailable',
      detail: 'the database is closed',
    });
    expect([processes(), clock.repeating]).toEqual([[], 0]);
  });

  it('is refused while many wait, which are made', async () => {
    const { service } = opened.directory;
    await service.add(group, groupOf(names(3000)));
    const asked = Array.from({ length: 40 }, (_, n) =>
      service.modify(group, change('add', names(1, `more ${n}`))),
    );
    const result = await Promise.allSettled(asked);
    const refused = result.flatMap((each) => (each.status === 'rejected' ? [each.reason] : []));
    expect(refused).toEqual(
      Array(7).fill(
        expect.objectContaining({
          reason: 'unavailable',
          detail: 'more than 32 large changes wait already',
          retryAfter: 1,
        }),
      ),
    );
    expect(await membersIn()).toHaveLength(3000 + 33);
    await service.modify(group, change('add', names(1, 'later')));
  });

  it('waits in this process, so that the writer has one at a time', async () => {
    const { service } = opened.directory;
    await service.add(group, groupOf(names(3000)));
    const send = vi.spyOn(first(), 'send');
    const results: number[] = [];
    first().on('message', () => results.push(send.mock.calls.length));
    await Promise.all(
      ['one', 'two', 'three'].map((of) => service.modify(group, change('add', names(1, of)))),
    );
    // The head, the values, and the end.
    expect(results).toEqual([3, 6, 9]);
  });
});

describe('writer process that ends at its start', () => {
  it('is started again after some seconds, and updates are refused until then', async () => {
    const { fork: start } = await vi.importActual<typeof import('node:child_process')>('node:child_process');
    const { service } = opened.directory;
    vi.mocked(fork).mockImplementationOnce(() =>
      start('/nowhere/program.js', [], { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] }),
    );
    const adding = () => service.add(group, groupOf(names(2000)));
    await expect(adding()).rejects.toMatchObject({
      reason: 'unavailable',
      detail: expect.stringMatching(/^the process that makes large changes has ended/),
    });
    clock.advance(4999);
    await expect(adding()).rejects.toMatchObject({
      reason: 'unavailable',
      detail: 'the process that makes large changes did not start; it is tried again in some seconds',
    });
    expect(processes()).toHaveLength(1);
    await service.add(named('somebody'), person());
    clock.advance(1);
    await adding();
    expect(await membersIn()).toHaveLength(2000);
  });
});

it('kills a process that does not answer, and fails its updates', async () => {
  const { service } = opened.directory;
  await service.add(group, groupOf(names(2000)));
  first().kill('SIGSTOP');
  const handed = vi.spyOn(first(), 'send');
  const asked = service.modify(group, change('add', names(1, 'late'))).then(
    () => 'made',
    (error) => `${error.reason}: ${error.detail}`,
  );
  await vi.waitFor(() => expect(handed).toHaveBeenCalled());
  clock.advance(10 * 60_000);
  expect(await asked).toBe(
    'unavailable: the process that makes large changes did not answer for 10 minutes and was ended; this one was made as a whole or not at all',
  );
  expect(first().signalCode).toBe('SIGKILL');
  await service.modify(group, change('add', names(1, 'later')));
  expect(await membersIn()).toEqual([...names(2000), ...names(1, 'later')]);
});

it('kills a process that does not end on request', async () => {
  await opened.directory.service.add(group, groupOf(names(2000)));
  first().kill('SIGSTOP');
  const closing = opened.environment.close();
  await vi.waitFor(() => expect(first().connected).toBe(false));
  clock.advance(10 * 60_000);
  await closing;
  expect(first().signalCode).toBe('SIGKILL');
});

it('passes the process no arguments or environment of this one', async () => {
  process.execArgv.push('--inspect=127.0.0.1:0');
  onTestFinished(() => void process.execArgv.pop());
  await opened.directory.service.add(group, groupOf(names(2000)));
  const [, , given] = vi.mocked(fork).mock.calls[0] ?? [];
  expect(given?.env).toEqual({});
  expect(given?.execArgv).not.toContain('--inspect=127.0.0.1:0');
});
