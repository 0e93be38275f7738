import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '@watchword/node';
import { expect, it, vi } from 'vitest';
import { ServedVersion } from './served-version.ts';

const directory = () => ({ close: vi.fn(async () => {}) });

/** A version of engines and a service that only end. */
function versionOf(own: ReturnType<typeof directory>) {
  const retire = vi.fn(async () => {});
  const engines = { clock: systemClock, directory: own };
  const version = new ServedVersion({} as never, engines as never, {
    handlers: new Map(),
    service: { retire } as never,
  });
  return { version, retire };
}

it('retires after the last request that is under way, and closes a directory that was replaced', async () => {
  const own = directory();
  const { version, retire } = versionOf(own);
  let end = () => {};
  const request = version.during(
    () =>
      new Promise<void>((resolve) => {
        end = resolve;
      }),
  );
  const retired = version.retire({ directory: directory() as never });
  await sleep(100);
  expect([retire.mock.calls.length, own.close.mock.calls.length]).toEqual([0, 0]);
  end();
  await Promise.all([request, retired]);
  expect([retire.mock.calls.length, own.close.mock.calls.length]).toEqual([1, 1]);
});

it('leaves a directory open that the next version has, too', async () => {
  const own = directory();
  await versionOf(own).version.retire({ directory: own as never });
  expect(own.close).not.toHaveBeenCalled();
});
