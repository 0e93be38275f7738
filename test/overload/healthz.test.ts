/**
 * Four clients send the worst bodies without a pause, and `/healthz` is answered within 100 ms all the same: the middle one of
 * forty, in the best of several rounds, on a processor of three gigahertz. How far this machine is from that, as it is slow or busy
 * with other things, is timed beside each round.
 */
import { once } from 'node:events';
import { Agent, request } from 'node:http';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Bundle, bundle } from '../../packages/core/src/testing/bed/children/test-child.ts';
import { slowness } from '../../packages/core/src/testing/bed/measures/processor-time.ts';
import { type Body, ofStrangers } from './bodies.ts';

/** In milliseconds. */
const most = 100;
const [clients, rounds, questions] = [4, 8, 40];

let child: Bundle;
let running: ReturnType<Bundle['start']>;
let port: number;
beforeAll(async () => {
  child = await bundle('web-server-child.ts');
  running = child.start();
  [{ port }] = (await once(running, 'message')) as [{ port: number }];
});
afterAll(async () => {
  running.disconnect();
  await once(running, 'exit');
  await child.dispose();
});

/** @returns the status */
function send(agent: Agent, path: string, sent?: Body): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = sent && { 'content-type': sent.type };
    const method = sent ? 'POST' : 'GET';
    const asked = request({ port, host: '127.0.0.1', path, method, agent, headers }, async (response) => {
      await response.resume().toArray();
      resolve(response.statusCode ?? 0);
    });
    asked.on('error', reject).end(sent?.body);
  });
}

async function latencyOf(agent: Agent): Promise<number> {
  const latencies: number[] = [];
  for (let n = 0; n < questions; n += 1) {
    const began = performance.now();
    expect(await send(agent, '/healthz')).toBe(200);
    latencies.push(performance.now() - began);
  }
  return latencies.sort((a, b) => a - b)[questions / 2] ?? Number.NaN;
}

it('answers within a tenth of a second', async () => {
  const agents = Array.from({ length: clients + 1 }, () => new Agent({ keepAlive: true, maxSockets: 1 }));
  const [own, ...theirs] = agents as [Agent, ...Agent[]];
  let isOver = false;
  const answered = theirs.map(async (agent, place) => {
    const bodies = Object.values(ofStrangers);
    let count = 0;
    for (let n = place * 8; !isOver; n += 1) {
      const body = bodies[n % bodies.length];
      if (body && (await send(agent, body.path, body)) > 0) count += 1;
    }
    return count;
  });
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < rounds && best >= most; round += 1) {
    const before = slowness();
    const latency = await latencyOf(own);
    best = Math.min(best, latency / Math.max(1, before, slowness()));
  }
  isOver = true;
  const counts = await Promise.all(answered);
  for (const agent of agents) agent.destroy();
  expect(Math.min(...counts)).toBeGreaterThan(0);
  expect(best).toBeLessThan(most);
});
