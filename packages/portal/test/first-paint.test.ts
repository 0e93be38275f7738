/** What a first visit costs in a browser: bytes, requests, and work until something is to be seen. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from '../../core/src/testing/bed/engines/browser.ts';
import { type Ground, openGround } from './ground.ts';

let ground: Ground;
beforeAll(async () => {
  ground = await openGround();
});
afterAll(() => ground.close());

interface Visit {
  /** In bytes, over the wire, headers of answers too. */
  readonly bytes: number;
  readonly urls: readonly string[];
  /** In milliseconds since the visit began. */
  readonly firstPaint: number;
  /** Answered before the first paint, the page itself left out. */
  readonly before: readonly string[];
  /** Without these nothing is painted. */
  readonly blocking: readonly string[];
}

/** Of somebody who was never there. @param slower how many times slower than this machine theirs is */
async function visit(url: string, seen: (page: Page) => Promise<unknown>, slower = 1): Promise<Visit> {
  const page = await ground.open({ locale: 'en-US' });
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slower });
  let bytes = 0;
  const urls: string[] = [];
  devtools.on('Network.requestWillBeSent', ({ request }) => urls.push(request.url));
  devtools.on('Network.loadingFinished', ({ encodedDataLength }) => {
    bytes += encodedDataLength;
  });
  await page.goto(url);
  await seen(page);
  const painted = await page.evaluate(lookAtPaint);
  await page.context().close();
  return { bytes, urls, ...painted };
}

/** In the page. */
async function lookAtPaint(): Promise<Omit<Visit, 'bytes' | 'urls'>> {
  const firstPaint = await new Promise<number>((resolve) => {
    const observer = new PerformanceObserver((list) => {
      for (const { name, startTime } of list.getEntries())
        if (name === 'first-contentful-paint') resolve(startTime);
    });
    observer.observe({ type: 'paint', buffered: true });
  });
  const resources = performance.getEntriesByType('resource');
  const namesOf = (some: typeof resources) => some.map(({ name }) => name);
  return {
    firstPaint,
    before: namesOf(resources.filter((one) => 'responseEnd' in one && Number(one.responseEnd) <= firstPaint)),
    blocking: namesOf(resources.filter((one) => Reflect.get(one, 'renderBlockingStatus') === 'blocking')),
  };
}

const form = (page: Page) => page.getByLabel('User name').waitFor();
const text = (page: Page) => page.locator('main').waitFor();

/** As many times as long as a page of nothing but text, on the same slow machine: what is heavier than that has grown by mistake. */
const times = 30;

describe.each(['admin', 'self'] as const)('a first visit to %s', (site) => {
  it('is below 250 kB and 15 requests, all to the server itself; only its own style is waited for', async () => {
    const { bytes, urls, before, blocking } = await visit(ground[site], form);
    expect(bytes).toBeGreaterThan(50_000);
    expect(bytes).toBeLessThan(250_000);
    expect(urls.filter((url) => !url.startsWith(ground[site]))).toEqual([]);
    expect(before.length).toBeLessThan(15);
    expect(blocking).toEqual([expect.stringMatching(/\/assets\/index-[\w-]+\.css$/)]);
  });

  it('shows something soon, on a phone that is four times as slow', async () => {
    const plain = new URL('/webapps/pwreset', ground.self).href;
    const paints: number[] = [];
    const ofPlain: number[] = [];
    // Turn by turn: whatever else the machine does meets both.
    for (let round = 0; round < 3; round += 1) {
      paints.push((await visit(ground[site], form, 4)).firstPaint);
      ofPlain.push((await visit(plain, text, 4)).firstPaint);
    }
    expect(Math.min(...paints)).toBeLessThan(times * Math.min(...ofPlain));
  });
});
