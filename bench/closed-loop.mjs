/** The load: some clients, each of which sends its next call when its last one is answered. */
import { createHistogram, performance } from 'node:perf_hooks';

/**
 * @param clients each with `call()`, which resolves when the answer is there and right
 * @param milliseconds after which no new call begins
 * @returns the calls made, the milliseconds until the last answer, and a histogram of latencies in nanoseconds
 */
export async function closedLoop(clients, milliseconds) {
  const latencies = createHistogram();
  const start = performance.now();
  const end = start + milliseconds;
  const calls = await Promise.all(clients.map((client) => callUntil(end, client, latencies)));
  return {
    calls: calls.reduce((sum, count) => sum + count, 0),
    milliseconds: performance.now() - start,
    latencies,
  };
}

async function callUntil(end, client, latencies) {
  let calls = 0;
  for (let began = performance.now(); began < end; calls += 1) {
    await client.call();
    const answered = performance.now();
    latencies.record(Math.max(1, Math.round((answered - began) * 1e6)));
    began = answered;
  }
  return calls;
}
