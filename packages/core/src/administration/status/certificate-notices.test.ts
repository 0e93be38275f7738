/** Mails to the operators before a certificate ends: once for each number of days, over nodes and restarts. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { KeptSender } from '../../messaging/testing/kept-sender.ts';
import type { ListenerCertificate } from '../../ports/listener-certificate.ts';
import type { Mail } from '../../ports/sending/sender.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';

const day = 86_400_000;
const begin = Date.UTC(2026, 0, 1);

let mail: KeptSender<Mail>;
let certificate: ListenerCertificate;
let node: Fixture;
const ports = () => ({ senders: { mail }, listenerCertificates: () => [certificate] });
const config = { messages: { operator: 'ops@example.org' } };

beforeEach(async () => {
  mail = new KeptSender<Mail>();
  const end = Date.UTC(2026, 10, 20, 12) + 40 * day;
  certificate = { listener: 'ws', subject: 'CN=a.example.org', digest: 'a1', begin, end, isRenewed: false };
  node = await openFixture({ config, ports });
});
afterEach(() => node.close());

/** Lets each node look twice, as what a look begins may end after it. */
async function pass(milliseconds: number, on: Fixture = node): Promise<void> {
  node.clock.advance(milliseconds);
  for (let round = 0; round < 3; round += 1) {
    await on.ports.ephemeral.put('passed', Buffer.from(''), 1);
    node.clock.advance(11_000);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const subjects = () => mail.taken.map(({ to, subject }) => [to, subject]);
const notice = ['ops@example.org', expect.stringMatching(/^A certificate of .+ ends soon$/)];

describe('notices of the end of a certificate', () => {
  it('go to the operators 30, 7 and 1 days before the end, once each', async () => {
    await pass(0);
    expect(subjects()).toEqual([]);
    await pass(10 * day);
    expect(subjects()).toEqual([notice]);
    expect(mail.taken[0]?.text).toContain('The certificate of the listener ws');
    expect(mail.taken[0]?.text).toContain('CN=a.example.org');
    await pass(22 * day);
    expect(subjects()).toEqual([notice]);
    await pass(day);
    await pass(3 * day);
    expect(subjects()).toHaveLength(2);
    await pass(3 * day);
    expect(subjects()).toHaveLength(3);
    await pass(3 * day);
    expect(subjects()).toHaveLength(3);
  });

  it('go once over all nodes and restarts', async () => {
    const other = await node.another({ config, ports });
    await pass(10 * day, other);
    await pass(0);
    expect(subjects()).toEqual([notice]);
    await other.close();
    const restarted = await node.another({ config, ports });
    await pass(0, restarted);
    expect(subjects()).toEqual([notice]);
    await restarted.close();
  });

  it('go again for a certificate with another end', async () => {
    await pass(10 * day);
    certificate = { ...certificate, digest: 'b2', end: certificate.end + 2 * day };
    await pass(2 * day);
    expect(subjects()).toEqual([notice, notice]);
  });

  it('are for a certificate that the server renews only after its renewal has failed', async () => {
    certificate = { ...certificate, isRenewed: true };
    await pass(11 * day);
    expect(subjects()).toEqual([]);
    await pass(23 * day);
    expect(mail.taken[0]?.text).toContain('has not been able to renew it');
  });
});
