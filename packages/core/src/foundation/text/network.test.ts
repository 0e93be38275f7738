import { describe, expect, it } from 'vitest';
import { addressBlock, Network } from './network.ts';

describe('Network', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['192.0.2.0/24', '192.0.2.255'],
    ['192.0.2.77/24', '192.0.2.1'],
    ['192.0.2.0/24', '::ffff:192.0.2.9'],
    ['::ffff:192.0.2.9', '192.0.2.9'],
    ['0.0.0.0/0', '203.0.113.9'],
    ['::ffff:0:0/96', '203.0.113.9'],
    ['::ffff:192.0.2.0/120', '192.0.2.200'],
    ['2001:db8:0:0::1', '2001:DB8::1'],
    ['2001:db8::/32', '2001:db8:ffff::1'],
    ['::/0', '2001:db8::1'],
    ['fe80::/10', 'fe80::1%eth0'],
  ])('contains: %s has %s', (network, address) => {
    expect(Network.parse(network)?.contains(address)).toBe(true);
  });

  it.each([
    ['192.0.2.1', '192.0.2.10'],
    ['192.0.2.0/25', '192.0.2.128'],
    ['192.0.2.0/24', '2001:db8::1'],
    ['2001:db8::/32', '192.0.2.1'],
    ['::/0', '192.0.2.1'],
    ['::/0', '::ffff:192.0.2.1'],
    ['::/64', '192.0.2.1'],
    ['0.0.0.0/0', '2001:db8::1'],
    ['::ffff:0:0/96', '2001:db8::1'],
    ['::ffff:192.0.2.0/120', '192.0.3.1'],
    ['0.0.0.0/0', ''],
    ['0.0.0.0/0', '192.0.2'],
  ])('does not contain: %s lacks %s', (network, address) => {
    expect(Network.parse(network)?.contains(address)).toBe(false);
  });

  it.each([
    ['192.0.2.77/24', '192.0.2.0/24', true],
    ['2001:DB8::/32', '2001:db8:1::/32', true],
    ['::ffff:192.0.2.1', '192.0.2.1/32', true],
    ['192.0.2.0/24', '192.0.2.0/25', false],
    ['192.0.2.1', '192.0.2.2', false],
    ['0.0.0.0/0', '::/0', false],
  ])('compares %s with %s: %s', (one, other, isSame) => {
    const [first] = Network.parseAll([one]);
    const [second] = Network.parseAll([other]);
    expect(first && second && first.equals(second)).toBe(isSame);
  });

  it('has its prefix length', () => {
    expect(
      ['10.0.0.0/8', '10.0.0.1', '::1', '2001:db8::/32'].map((text) => Network.parse(text)?.bits),
    ).toEqual([8, 32, 128, 32]);
  });

  it.each([
    '',
    '192.0.2',
    '192.0.2.0/33',
    '192.0.2.0/',
    '192.0.2.0/-1',
    '192.0.2.0/8/8',
    '2001:db8::/129',
    'vpn',
    'fe80::1%eth0',
  ])('is not read from %s', (text) => {
    expect(Network.parse(text)).toBeUndefined();
  });
});

describe('addressBlock', () => {
  it.each([
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['::FFFF:C000:201', '192.0.2.1'],
    ['0:0:0:0:0:ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:0DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::', '0:0:0:0::/64'],
    ['in-process', 'in-process'],
    ['', ''],
  ])('maps %s to %s', (address, holder) => {
    expect(addressBlock(address)).toBe(holder);
  });
});
