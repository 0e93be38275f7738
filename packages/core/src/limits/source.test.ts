import { expect, it } from 'vitest';
import { sourceOf } from './source.ts';

const caller = (key: string, trusted = true) => ({ key, address: '192.0.2.1', trusted });

it('tells people of a place by its caller, and the source that it is believed', () => {
  const words = (...of: Parameters<typeof sourceOf>) => sourceOf(...of).words;
  expect([
    words(caller('address:192.0.2.1', false), '198.51.100.7'),
    words(caller('address:192.0.2.1'), '198.51.100.7'),
    words(caller('key:7'), '198.51.100.7'),
    words(caller('key:7'), undefined),
  ]).toEqual([
    ...['192.0.2.1', 'address:192.0.2.1, source 198.51.100.7', 'key:7, source 198.51.100.7', 'key:7'],
  ]);
});

it('has a /48 of its own for each caller that has shown who it is', () => {
  const site = (key: string, source: string) => sourceOf(caller(key), source).buckets[1];
  expect(site('key:7', '2001:db8:1:1::5')).toEqual(site('key:7', '2001:db8:1:2::5'));
  expect(site('key:7', '2001:db8:1:1::5')).not.toEqual(site('key:8', '2001:db8:1:1::5'));
  const own = sourceOf(
    { key: 'address:2001:db8:1:3::', address: '2001:db8:1:3::5', trusted: false },
    undefined,
  );
  expect(own.buckets[1]).toEqual(site('address:192.0.2.1', '2001:db8:1:1::5'));
});
