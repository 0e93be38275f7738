import { expect, it } from 'vitest';
import { assertOutside } from './outside-addresses.ts';

const resolver = {
  hosts: {
    addresses: async (host: string) =>
      ({ 'inside.example.org': ['10.1.2.3'], 'gateway.example.org': ['198.51.100.7'] })[host] ?? [],
  },
};

it.each([
  ['a gateway on this machine', { sms: { url: 'http://127.0.0.1:9000/' } }, 'sms.url'],
  ['its IPv6 address', { push: { url: 'https://[::1]/' } }, 'push.url'],
  ['a mapped address', { push: { url: 'https://[::ffff:127.0.0.1]/' } }, 'push.url'],
  ['the address in another form', { sms: { url: 'http://2130706433/' } }, 'sms.url'],
  ['metadata of a cloud', { sms: { url: 'http://169.254.169.254/latest/' } }, 'sms.url'],
  ['a name that leads inside', { sms: { url: 'https://inside.example.org/' } }, 'sms.url'],
  ['a private network', { yubico: { urls: ['https://192.168.1.1/'] } }, 'yubico.urls.0'],
  [
    'a logout address inside',
    { openid_clients: { app: { backchannel_logout_uri: 'http://127.0.0.1/' } } },
    'openid_clients.app.backchannel_logout_uri',
  ],
  ['a mail server on this machine', { mail: { host: '127.0.0.1' } }, 'mail.host'],
])('refuses %s', async (_, settings, path) => {
  await expect(assertOutside(settings, resolver)).rejects.toThrow(`${path} leads to this machine`);
});

it.each([
  ['a gateway outside', { sms: { url: 'https://gateway.example.org/' } }],
  ['a mail server in a private network', { mail: { host: '10.0.0.25' } }],
  ['settings without addresses', { clients: { vpn: {} } }],
])('accepts %s', async (_, settings) => {
  await expect(assertOutside(settings, resolver)).resolves.toBeUndefined();
});
