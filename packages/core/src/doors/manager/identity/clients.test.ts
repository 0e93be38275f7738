import { describe, expect, it } from 'vitest';
import type { HostResolver } from '../../../ports/ports.ts';
import { ClientList } from './clients.ts';

const hosts: HostResolver = {
  addresses: async (host) => (host === 'portal.example.org' ? ['198.51.100.7', '2001:db8::7'] : []),
};

const admits = (clients: readonly string[], address: string): Promise<boolean> =>
  new ClientList(clients, hosts).admits(address);

describe('ClientList', () => {
  it('admits everybody when nobody is listed', async () => {
    expect(await admits([], '203.0.113.9')).toBe(true);
  });

  it.each([
    ['an address', '192.0.2.1', '192.0.2.1'],
    ['an address in an IPv4 network', '192.0.2.0/24', '192.0.2.255'],
    ['an address mapped into IPv6', '192.0.2.0/24', '::ffff:192.0.2.9'],
    ['an address that is listed mapped', '::ffff:192.0.2.9', '192.0.2.9'],
    ['an IPv6 address in another spelling', '2001:db8:0:0::1', '2001:DB8::1'],
    ['an address in an IPv6 network', '2001:db8::/32', '2001:db8:ffff::1'],
    ['an address behind a zone', 'fe80::/10', 'fe80::1%eth0'],
    ['an address of a host', 'portal.example.org', '198.51.100.7'],
    ['an address of a host, mapped', 'portal.example.org', '::ffff:198.51.100.7'],
    ['an IPv6 address of a host', 'portal.example.org', '2001:db8::7'],
    ['any IPv4 address', '0.0.0.0/0', '203.0.113.9'],
  ])('admits %s', async (_, client, address) => {
    expect(await admits(['203.0.113.77', client], address)).toBe(true);
  });

  it.each([
    ['another address', '192.0.2.1', '192.0.2.10'],
    ['an address beside a network', '192.0.2.0/25', '192.0.2.128'],
    ['an IPv6 address where an IPv4 network is listed', '192.0.2.0/24', '2001:db8::1'],
    ['an IPv4 address where an IPv6 network is listed', '2001:db8::/32', '192.0.2.1'],
    ['an address that a host does not have', 'portal.example.org', '198.51.100.8'],
    ['anybody, if a host is unknown', 'nowhere.example.org', '192.0.2.1'],
    ['who has no address any more', '0.0.0.0/0', ''],
  ])('does not admit %s', async (_, client, address) => {
    expect(await admits([client], address)).toBe(false);
  });
});
