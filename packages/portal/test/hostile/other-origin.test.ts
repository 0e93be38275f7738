/** Forged requests and frames, really tried: what a page of another origin gets done with the cookies of who is signed in. */
import { readFile } from 'node:fs/promises';
import { createManager, type Manager } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Page, wholeBrowser } from '../../../core/src/testing/bed/engines/browser.ts';
import { type Ground, openGround } from '../ground.ts';
import { signInToSelf } from '../scenes/self.ts';
import { frameAll, postForm, readByScript } from './forgeries.ts';
import { type OtherOrigin, openOtherOrigin } from './other-origin.ts';

let ground: Ground;
let other: OtherOrigin;
let manager: Manager;
/** Signed in to both sites. */
let victim: Page;

beforeAll(async () => {
  [ground, other] = await Promise.all([openGround({}, wholeBrowser), openOtherOrigin()]);
  const { username, password } = ground.administrator;
  const { fetch } = nodeTransport({ ca: await readFile(ground.ca, 'utf8') });
  manager = createManager({ url: ground.manager, username, password, fetch });
  victim = await ground.open({ locale: 'en-US' });
  await victim.goto(ground.self);
  await signInToSelf(victim, ground.alice);
  await victim.goto(ground.admin);
  await victim.getByLabel('User name').fill(username);
  await victim.getByLabel('Password').fill(password);
  await victim.keyboard.press('Enter');
  await victim.getByRole('searchbox', { name: 'Find somebody' }).waitFor();
});
afterAll(async () => {
  await ground.close();
  await other.close();
});

const cookies = async () =>
  (await victim.context().cookies([ground.admin, ground.self]))
    .map(({ name, value }) => `${name}=${value}`)
    .sort();

const sites = ['sameSite', 'crossSite'] as const;

describe.each(sites)('a page of another origin: %s', (site) => {
  let evil: Page;
  beforeAll(async () => {
    evil = await victim.context().newPage();
    await evil.goto(other[site]);
  });
  afterAll(() => evil.close());

  const change = (dn: string) =>
    JSON.stringify({
      ...{ jsonrpc: '2.0', id: 1, method: 'Set_User_Attrs' },
      params: { dn, attrs: { description: 'by somebody else' } },
    });
  /** Of somebody whom the attacker wants the victim to be. */
  const login = () => JSON.stringify({ username: ground.bob.username, password: ground.bob.password });
  const aims = () => [
    { url: `${ground.admin}session`, body: login() },
    { url: `${ground.admin}rpc`, body: change(ground.bob.dn) },
    { url: `${ground.self}session`, body: login() },
    {
      url: `${ground.self}rpc`,
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'SelfDesk.End_Sessions' }),
    },
  ];

  /** Nothing was done, and everybody is signed in as before. */
  async function expectNothing(work: () => Promise<void>): Promise<void> {
    const before = await cookies();
    expect(before).toHaveLength(2);
    await work();
    expect(await cookies()).toEqual(before);
    expect((await manager.Get_User_Attrs({ dn: ground.bob.dn })).description).toBeUndefined();
    for (const at of [ground.admin, ground.self]) {
      const result = await victim.context().request.get(`${at}session`);
      expect(await result.json()).toMatchObject({ signedIn: true });
    }
  }

  it.each(['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
    'sends forms for nothing: %s',
    async (enctype) => {
      await expectNothing(async () => {
        for (const { url, body } of aims()) {
          const [response] = await Promise.all([
            victim.context().waitForEvent('response', (one) => one.url() === url),
            evil.evaluate(postForm, { url, body, enctype }),
          ]);
          expect(response.status()).toBe(403);
        }
      });
    },
  );

  it('sends scripts for nothing, and reads nothing', async () => {
    await expectNothing(async () => {
      const urls = [ground.admin, ground.self].flatMap((at) => [`${at}session`, `${at}rpc`, at]);
      const bodies = [login(), change(ground.bob.dn)];
      expect(await evil.evaluate(readByScript, { urls, bodies })).toEqual([]);
    });
  });

  it('opens windows that it has no hold of', async () => {
    for (const url of [ground.admin, ground.self]) {
      const [window] = await Promise.all([
        victim.context().waitForEvent('page'),
        evil.evaluate((address) => {
          Reflect.set(globalThis, 'opened', open(address));
        }, url),
      ]);
      await window.waitForLoadState();
      expect(await window.evaluate(() => opener)).toBeNull();
      // To whoever opened it, it is as if it were closed; the browser tells that a moment later.
      const isClosed = () => evil.evaluate(() => Reflect.get(globalThis, 'opened')?.closed);
      await expect.poll(isClosed).toBe(true);
      await window.close();
    }
  });

  it('frames nothing', async () => {
    const { username } = ground.bob;
    const link = String(await manager.PwReset.Send_Request({ username, method: 'NONE' }));
    const pages = [ground.admin, ground.self, `${ground.admin}people`, link];
    await evil.evaluate(frameAll, pages);
    for (const [at, address] of pages.entries()) {
      const frame = await (await evil.locator('iframe').nth(at).elementHandle())?.contentFrame();
      await frame?.getByText('refused to connect').first().waitFor({ state: 'attached' });
      expect([address, frame?.url()]).toEqual([address, 'chrome-error://chromewebdata/']);
    }
  });
});
