/** The guide of certificates: its commands are typed, and its ACME server is a real one. */
import { freePorts, startPebble } from '@watchword/core/testing/bed';
import { expect } from 'vitest';
import { checkConfiguration, runGuide } from './guide.ts';
import { openStand, type Stand } from './stand.ts';

interface AcmeStand extends Stand {
  readonly settings: Readonly<Record<string, string>>;
}

/** The reader has an ACME server, which asks the port of the guide for answers. */
async function openWithAcme(): Promise<AcmeStand> {
  const [httpPort, tlsPort] = (await freePorts(2)) as [number, number];
  const pebble = await startPebble({ httpPort, tlsPort });
  const stand = await openStand();
  return {
    ...stand,
    settings: {
      WATCHWORD_ACME__CHALLENGE: 'http-01',
      WATCHWORD_ACME__DIRECTORY: pebble.directory,
      WATCHWORD_ACME__DOMAINS: 'login.example.com',
      WATCHWORD_ACME__CA: pebble.ca,
      WATCHWORD_ACME__HTTP_PORT: `${httpPort}`,
    },
    close: async () => {
      await stand.close();
      await pebble.stop();
    },
  };
}

runGuide<AcmeStand>('docs/guide/certificates.md', {
  open: openWithAcme,
  runners: {
    'Trust the certificate of the first start/sh': async ({ text }, stand) => {
      expect(await stand.shell.run(stand.here(text))).toContain('ok');
    },
    'Renew certificates/sh': async ({ text }, stand) => {
      expect(await stand.shell.run(stand.here(text))).toMatch(/^notAfter=/);
    },
    'Have an ACME server issue them/yaml': async (block, stand) => {
      checkConfiguration(block);
      await stand.restart(stand.settings);
      await expect.poll(() => stand.logged.join(''), { timeout: 30_000 }).toContain('certificate issued by');
    },
    'Have an ACME server issue them/sh': async ({ text }, stand) => {
      expect(await stand.shell.run(stand.here(text))).toMatch(/Pebble Intermediate/);
    },
  },
});
