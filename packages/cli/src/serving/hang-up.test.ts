import { expect, it, vi } from 'vitest';
import { HangUp } from './hang-up.ts';

function hangUp() {
  let signal = async () => {};
  const taken = new HangUp({
    onHangUp: (task) => {
      signal = task;
    },
  });
  const reload = { request: vi.fn(async () => true) };
  return { taken, reload, signal: () => signal() };
}

it('reloads at each SIGHUP', async () => {
  const { taken, reload, signal } = hangUp();
  taken.take(reload);
  expect(reload.request).not.toHaveBeenCalled();
  await signal();
  await signal();
  expect(reload.request).toHaveBeenCalledTimes(2);
});

it('reloads when the servers listen, after SIGHUPs that came before', async () => {
  const { taken, reload, signal } = hangUp();
  await signal();
  await signal();
  taken.take(reload);
  expect(reload.request).toHaveBeenCalledTimes(1);
});
