/** XML that is made to harm: refused in words, quickly, with nothing expanded, nothing fetched and memory flat. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Echo, openEcho } from '../../../testing/bed/children/echo.ts';
import { echoing, hostileXml } from '../../../testing/bed/children/hostile-xml.ts';
import { bundle } from '../../../testing/bed/children/test-child.ts';
import { type Fixture, openFixture } from '../../../testing/bed/fixture.ts';

let fixture: Fixture;
let echo: Echo;
const fetched: string[] = [];
const bait = createServer((request, response) => {
  fetched.push(String(request.url));
  response.end('root');
});
beforeAll(async () => {
  fixture = await openFixture();
  echo = openEcho(fixture.core);
  await new Promise<void>((resolve) => bait.listen(0, '127.0.0.1', resolve));
});
afterAll(async () => {
  bait.close();
  await fixture.close();
});

const baitUrl = () => `http://127.0.0.1:${(bait.address() as AddressInfo).port}`;

async function refusalOf(body: string | Uint8Array): Promise<string> {
  const response = await echo.ask('/otp/', { body, headers: { 'content-type': 'text/xml' } });
  expect(echo.taken()).toEqual([]);
  expect([response.status, response.headers['content-type']]).toEqual([500, 'text/xml; charset=utf-8']);
  expect(response.body.length).toBeLessThan(1000);
  const [, code, text] =
    /<faultcode>SOAP-ENV:(\w+)<\/faultcode><faultstring>([^<]*)</.exec(String(response.body)) ?? [];
  expect(code).toBe('Client');
  return text ?? '';
}

const hostile = hostileXml(() => baitUrl());

describe('hostile XML', () => {
  it.each(hostile)('%s is refused', async (_, body, text) => {
    const before = process.cpuUsage();
    expect(await refusalOf(body())).toMatch(text);
    const { user, system } = process.cpuUsage(before);
    expect((user + system) / 1_000_000).toBeLessThan(1);
  });

  it('fetches nothing', () => {
    expect(fetched).toEqual([]);
  });

  it.each([
    ['nothing', 0],
    ['a note of each request, as a server that leaks', 1],
  ])('makes the heap of a process grow by %s', async (_, notes) => {
    const child = await bundle('hostile-xml-child.ts');
    const running = child.start(String(notes));
    const [heaps] = (await once(running, 'message')) as [readonly number[]];
    await child.dispose();
    const perRound = slopeOf(heaps);
    // A note has a thousand bytes; what the engine learns about its own code is a small part of that.
    const half = (hostile.length * 1000) / 2;
    if (notes === 0) expect(perRound).toBeLessThan(half);
    else expect(perRound).toBeGreaterThan(half);
  });

  it('leaves a value of ten thousand lines alone', async () => {
    await echo.ask('/otp/', { body: echoing('a\n'.repeat(10_000)) });
    expect(echo.taken()).toMatchObject([{ username: 'a\n'.repeat(10_000) }]);
  });
});

/** Theil and Sen: the median of the slopes between all pairs, which a few odd ones do not move. */
function slopeOf(values: readonly number[]): number {
  const slopes = values.flatMap((value, at) =>
    values.slice(at + 1).map((later, ahead) => (later - value) / (ahead + 1)),
  );
  return slopes.sort((a, b) => a - b)[Math.floor(slopes.length / 2)] ?? Number.NaN;
}
