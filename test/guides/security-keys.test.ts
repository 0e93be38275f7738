/** The guide of security keys: what it types is typed, and its scripts run in Chromium, which has a device. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect } from 'vitest';
import {
  type Browser,
  launchBrowser,
  type Page,
  plugInDevice,
} from '../../packages/core/src/testing/bed/engines/browser.ts';
import type { Block } from './blocks.ts';
import { checkConfiguration, runGuide } from './guide.ts';
import { openStand, type Stand } from './stand.ts';

interface Desk extends Stand {
  readonly page: Page;
}

/** The reader's page. Browsers take localhost for safe without TLS. */
async function openDesk(): Promise<Desk> {
  const stand = await openStand();
  const site: Server = createServer((_, response) => response.end('<title>Log in</title>'));
  await new Promise<void>((listens) => site.listen(0, '127.0.0.1', listens));
  const browser: Browser = await launchBrowser();
  const page = await (await browser.newContext()).newPage();
  await plugInDevice(page);
  await page.goto(`http://localhost:${(site.address() as AddressInfo).port}/`);
  const close = async () => {
    await browser.close();
    site.close();
    await stand.close();
  };
  return { ...stand, page, close };
}

/** Runs a script of the guide with what the shell has, and hands the shell what comes of it. */
const inBrowser =
  (takes: readonly [name: string, variable: string], gives: readonly [name: string, variable: string]) =>
  async ({ text }: Block, { page, shell }: Desk): Promise<void> => {
    const given = (await shell.run(`printf '%s\\n' "$${takes[1]}"`)).trim();
    const program = `(async (${takes[0]}) => { ${text}; return ${gives[0]}; })(${JSON.stringify(given)})`;
    const made = String(await page.evaluate(program));
    expect(made).not.toContain("'");
    await shell.run(`${gives[1]}='${made}'`);
  };

runGuide<Desk>('docs/guide/security-keys.md', {
  open: openDesk,
  runners: {
    'Name your domain/yaml': async (block, { restart }) => {
      checkConfiguration(block);
      await restart({ WATCHWORD_RELYING_PARTY__ID: 'localhost' });
    },
    'Register a security key/js': inBrowser(['options', 'OPTIONS'], ['response', 'RESPONSE']),
    'Log in with a security key/js': inBrowser(
      ['u2fChallenge', 'CHALLENGE'],
      ['u2fResponse', 'U2F_RESPONSE'],
    ),
  },
});
