/**
 * Contestants measured in turns with a reference, there and back: R A B, B A R, R A B. Machines drift by a third within minutes,
 * so a contestant's time counts only as a ratio to the reference of its round. All have as many turns: who is asked more often
 * than the others stays warm, and was a quarter faster.
 */
import { createHistogram } from 'node:perf_hooks';
import { closedLoop } from './closed-loop.mjs';
import { processorTime } from './processor-time.mjs';

/**
 * @param reference, others contestants: {name, connections, operationsPerCall, processes, open(client) →
 *   {call, close}}; `processes` is name → pid, whose processor time is counted
 * @returns for each contestant its {name, operationsPerSecond, microseconds, ratio, ratios, serverRatio, latency,
 *   processor}; `serverRatio` is of the processor time of the process `server`, NaN where none is called so
 */
export async function sideBySide(reference, others, { plan, progress }) {
  const turn = (contestant, milliseconds) => measure(contestant, milliseconds);
  const slices = new Map([reference, ...others].map((contestant) => [contestant, []]));
  for (const contestant of slices.keys()) {
    progress(`warming up ${contestant.name}`);
    await turn(contestant, plan.warmUp);
  }
  for (let round = 1; round <= plan.rounds; round += 1) {
    const there = [...slices.keys()];
    const taken = new Map();
    for (const contestant of round % 2 === 1 ? there : there.reverse()) {
      progress(`round ${round} of ${plan.rounds}, ${contestant.name}`);
      taken.set(contestant, await turn(contestant, plan.slice));
    }
    const of = taken.get(reference);
    for (const [contestant, own] of taken)
      slices.get(contestant).push({
        ...own,
        ratio: own.microseconds / of.microseconds,
        serverRatio: own.processor.server / of.processor.server,
      });
  }
  return Array.from(slices, ([contestant, its]) => ({ name: contestant.name, ...summary(its) }));
}

/** So many operations at least, as a cold server is 1.3 to 1.5 times slower. */
export async function warmUp({ operationsPerCall, open }, operations) {
  const clients = await Promise.all(Array.from({ length: 16 }, (_, client) => open(client)));
  for (let done = 0; done < operations; ) done += (await closedLoop(clients, 250)).calls * operationsPerCall;
  await Promise.all(clients.map((client) => client.close()));
}

/** One turn. Its connections are its own; what they cost to open is not counted. */
async function measure({ connections, operationsPerCall, processes, open }, milliseconds) {
  const clients = await Promise.all(Array.from({ length: connections }, (_, client) => open(client)));
  try {
    await closedLoop(clients, milliseconds / 5);
    const before = processorTimes(processes);
    const load = await closedLoop(clients, milliseconds);
    const after = processorTimes(processes);
    const operations = load.calls * operationsPerCall;
    return {
      microseconds: (load.milliseconds * 1000 * connections) / operations,
      operationsPerSecond: (operations / load.milliseconds) * 1000,
      latencies: load.latencies,
      processor: mapValues(after, (time, name) => (time - before[name]) / operations),
    };
  } finally {
    await Promise.all(clients.map((client) => client.close()));
  }
}

function processorTimes(processes) {
  return mapValues(processes, (pid) => processorTime(pid));
}

function summary(slices) {
  const latencies = createHistogram();
  for (const slice of slices) latencies.add(slice.latencies);
  const ratios = slices.map(({ ratio }) => ratio);
  const milliseconds = (percentile) => latencies.percentile(percentile) / 1e6;
  return {
    operationsPerSecond: median(slices.map(({ operationsPerSecond }) => operationsPerSecond)),
    microseconds: median(slices.map(({ microseconds }) => microseconds)),
    ratio: median(ratios),
    ratios: [Math.min(...ratios), Math.max(...ratios)],
    serverRatio: median(slices.map(({ serverRatio }) => serverRatio)),
    latency: { p50: milliseconds(50), p95: milliseconds(95), p99: milliseconds(99) },
    processor: mapValues(slices[0].processor, (_, name) =>
      median(slices.map(({ processor }) => processor[name])),
    ),
  };
}

export function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

function mapValues(object, of) {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, of(value, name)]));
}
