import { expect, it } from 'vitest';
import { isOrigin } from './device.ts';

const party = { id: 'example.com', name: 'Example', origins: [] };

it.each([
  ['https://example.com', true],
  ['https://login.example.com', true],
  ['https://login.example.com:8443', true],
  ['http://example.com', false],
  ['https://example.com.evil.test', false],
  ['https://notexample.com', false],
  ['https://example.com/', false],
  ['https://example.com@evil.test', false],
  ['https://EXAMPLE.com', false],
  ['null', false],
  ['android:apk-key-hash:x', false],
  ['', false],
])('%s is a page of example.com: %s', (origin, is) => {
  expect(isOrigin(origin, party)).toBe(is);
});

it('accepts only the pages that are named, if any are', () => {
  const named = { ...party, origins: ['https://a.example.com'] };
  expect(isOrigin('https://a.example.com', named)).toBe(true);
  expect(isOrigin('https://b.example.com', named)).toBe(false);
});

it('accepts localhost without TLS, as browsers do', () => {
  const local = { id: 'localhost', name: 'x', origins: [] };
  expect(isOrigin('http://localhost:8080', local)).toBe(true);
  expect(isOrigin('http://login.localhost', local)).toBe(false);
});
