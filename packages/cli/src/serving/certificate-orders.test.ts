/** Orders of certificates: which are not made, and when a failed one is made again. Nothing listens where the ACME server would be. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '@watchword/core';
import { TestClock } from '@watchword/core/testing';
import { type Fixture, freePorts, openFixture } from '@watchword/core/testing/bed';
import { systemClock, systemRandom } from '@watchword/node';
import { createAuthority, issueServerCertificate } from '@watchword/pki';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CertificateOrders } from './certificate-orders.ts';

const base = 'dc=example,dc=org';
const domain = 'login.example.org';

let data: string;
let directory: string;
let fixture: Fixture;
let clock: TestClock;
let opened: CertificateOrders[];
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), 'watchword-orders-'));
  const [port] = (await freePorts(1)) as [number];
  directory = `https://127.0.0.1:${port}/dir`;
  fixture = await openFixture();
  clock = new TestClock(systemClock.now());
  opened = [];
});
afterEach(async () => {
  await Promise.all(opened.map((orders) => orders.close()));
  await fixture.close();
  await rm(data, { recursive: true });
});

/** Begins orders. @returns the configuration, which a test may change, and the failures that are logged */
function begin(folder = data, store = fixture.ports.ephemeral) {
  const read = (email: string) =>
    readConfig({
      data: folder,
      directory: { type: 'embedded', base },
      domains: { Default: { base } },
      acme: { challenge: 'tls-alpn-01', directory, domains: [domain], email },
    });
  const running = { config: read('a@example.org'), renewCertificates: async () => true };
  const failures: string[] = [];
  const log = { ...fixture.ports.log, error: (line: string) => void failures.push(line) };
  opened.push(new CertificateOrders({ running, store, clock, log, program: 'test', servers: ['ws'] }));
  const change = () => {
    running.config = read('b@example.org');
  };
  return { failures, change };
}

const failed = (failures: readonly string[], count: number) =>
  vi.waitFor(() => expect(failures).toHaveLength(count), { timeout: 10_000 });

describe('orders of certificates', () => {
  it('waits while another process orders', async () => {
    const lease = { by: 1, limit: 1, seconds: 1200 };
    await fixture.ports.ephemeral.count('lease:acme', lease);
    const waiting = begin();
    const other = await openFixture();
    await failed(begin(data, other.ports.ephemeral).failures, 1);
    await other.close();
    expect(waiting.failures).toEqual([]);
    await fixture.ports.ephemeral.count('lease:acme', { ...lease, by: -1 });
    clock.advance(10_000);
    await failed(waiting.failures, 1);
  }, 30_000);

  it('orders nothing while a certificate is valid', async () => {
    const ports = { clock: systemClock, random: systemRandom };
    const authority = await createAuthority({ commonName: 'Example CA', days: 90 }, ports);
    const terms = { names: [domain], addresses: [], days: 90 };
    const { certificate, key } = await issueServerCertificate(authority, terms, ports);
    await writeFile(join(data, 'acme-key.pem'), `# ${directory}\n${certificate}${key}`);
    const { failures } = begin();
    const other = await mkdtemp(join(tmpdir(), 'watchword-orders-'));
    await failed(begin(other).failures, 1);
    expect(failures).toEqual([]);
    await rm(other, { recursive: true });
  });

  it('orders again after a minute, then after two, and at once when acme changes', async () => {
    const { failures, change } = begin();
    await failed(failures, 1);
    expect(failures[0]).toMatch(/connect ECONNREFUSED .*; check acme\.directory, .* Next try at 20/);
    clock.advance(60_000);
    await failed(failures, 2);
    clock.advance(60_000);
    clock.advance(50_000);
    const other = await openFixture();
    await failed(begin(data, other.ports.ephemeral).failures, 1);
    await other.close();
    expect(failures).toHaveLength(2);
    clock.advance(20_000);
    await failed(failures, 3);
    change();
    clock.advance(10_000);
    await failed(failures, 4);
  });

  it('orders again after the clock was set back', async () => {
    const { failures } = begin();
    await failed(failures, 1);
    clock.advance(-365 * 86_400_000);
    clock.advance(10_000);
    await failed(failures, 2);
  });
});
