/** Chromium, for what only a browser shows. */
import { type Browser, chromium } from 'playwright-core';

export type { Browser, Page } from 'playwright-core';

/** Without a window; the caller closes it. */
export const launchBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });
