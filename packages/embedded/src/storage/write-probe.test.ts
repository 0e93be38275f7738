/** Anybody may ask whether the disk can be written, and makes nobody write more. */
import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { ServiceError } from '../../../core/src/foundation/errors/errors.ts';
import { WriteProbe } from './write-probe.ts';

it('writes once for all who ask within a second', async () => {
  let writes = 0;
  const probe = new WriteProbe(tmpdir(), async () => {
    writes += 1;
  });
  const free = await Promise.all(Array.from({ length: 100 }, () => probe.look()));
  expect(free).toEqual(free.map(() => expect.any(Number)));
  expect(writes).toBe(1);
});

it('tells all of them that it could not', async () => {
  let writes = 0;
  const probe = new WriteProbe(tmpdir(), async () => {
    writes += 1;
    throw new ServiceError('unavailable', { detail: 'the disk is full' });
  });
  const told = await Promise.allSettled(Array.from({ length: 100 }, () => probe.look()));
  expect(new Set(told.map(({ status }) => status))).toEqual(new Set(['rejected']));
  expect(writes).toBe(1);
});
