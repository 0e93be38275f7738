/** The store that a hundred thousand attempts are played on is one. */
import { storeContract, TestClock } from '@watchword/core/testing';
import { MemoryStore } from './memory-store.ts';

storeContract('in memory', async () => {
  const clock = new TestClock();
  const store = new MemoryStore(() => clock.now());
  return {
    store,
    pass: async (seconds) => clock.advance(seconds * 1000),
    another: async () => store,
    dispose: () => store.close(),
  };
});
