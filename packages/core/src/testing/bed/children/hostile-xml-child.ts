/**
 * A process for `doors/web/soap/hostile.test.ts`: sends hostile XML to a service in rounds, and reports the heap after each garbage
 * collection. A process of its own, as the heap of a test runner grows.
 */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openFixture } from '../fixture.ts';
import { openEcho } from './echo.ts';
import { hostileXml } from './hostile-xml.ts';

/** Node 24 learns for longer than Node 20: after five rounds it still takes a quarter of what a leak would. */
const [warmUp, rounds] = [20, 20];
const noteLength = 1000;

setFlagsFromString('--expose-gc');
const collect: () => void = runInNewContext('gc');
const [notes = '0'] = process.argv.slice(2);
const fixture = await openFixture();
const echo = openEcho(fixture.core);
const bodies = hostileXml(() => 'http://127.0.0.1:9').map(([, body]) => Buffer.from(body()));
const kept: string[] = [];
const heaps: number[] = [];
for (let round = 0; round < warmUp + rounds; round += 1) {
  for (const body of bodies) {
    await echo.ask('/otp/', { body, headers: { 'content-type': 'text/xml' } });
    if (notes === '1') kept.push(Buffer.alloc(noteLength, (kept.length % 26) + 97).toString('latin1'));
  }
  fixture.log.lines.length = 0;
  collect();
  if (round >= warmUp) heaps.push(process.memoryUsage().heapUsed);
}
process.send?.(heaps);
await fixture.close();
process.disconnect();
