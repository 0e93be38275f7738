import { tmpdir } from 'node:os';
import { expect, it } from 'vitest';
import { ServiceError } from '../../../core/src/foundation/errors/errors.ts';
import { WriteProbe } from './write-probe.ts';

it('writes once for all calls within a second', async () => {
  let writes = 0;
  const probe = new WriteProbe(tmpdir(), async () => {
    writes += 1;
  });
  const free = await Promise.all(Array.from({ length: 100 }, () => probe.run()));
  expect(free).toEqual(free.map(() => expect.any(Number)));
  expect(writes).toBe(1);
});

it('rejects all calls when the write fails', async () => {
  let writes = 0;
  const probe = new WriteProbe(tmpdir(), async () => {
    writes += 1;
    throw new ServiceError('unavailable', { detail: 'the disk is full' });
  });
  const results = await Promise.allSettled(Array.from({ length: 100 }, () => probe.run()));
  expect(new Set(results.map(({ status }) => status))).toEqual(new Set(['rejected']));
  expect(writes).toBe(1);
});
