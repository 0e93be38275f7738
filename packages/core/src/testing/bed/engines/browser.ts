/** Chromium, for what only a browser shows. */
import { existsSync } from 'node:fs';
import { type Browser, chromium, type Page } from 'playwright-core';

export type { Browser, Page, Route } from 'playwright-core';

/** The whole Chromium, with its own pages. */
export const wholeBrowser = '/usr/bin/chromium';

const headlessShell = '/usr/bin/chromium-headless-shell';

/** Chromium without its windows and pages where it is installed: it takes a sixth less of processor time. */
export const usualBrowser = existsSync(headlessShell) ? headlessShell : wholeBrowser;

/** Without a window; the caller closes it. @param program `wholeBrowser`: for what pages of the browser itself say */
export const launchBrowser = (program = usualBrowser): Promise<Browser> =>
  chromium.launch({
    executablePath: program,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  });

/** Gives a page a FIDO2 device, which its user touches at once. */
export async function plugInDevice(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('WebAuthn.enable');
  await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'usb', hasResidentKey: true },
      ...{ hasUserVerification: true, isUserVerified: true, automaticPresenceSimulation: true },
    },
  });
}
