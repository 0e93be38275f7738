/** Rules between the settings of a gateway. */
import type { ConfigProblem } from '../problems.ts';
import type { Path } from '../schema-node.ts';
import {
  type mailGateway,
  named,
  type pushGateway,
  type smsGateway,
  templateVariables,
  type yubicoServers,
} from './settings.ts';

type Gateway<Made extends () => { readonly _zod: { readonly output: unknown } }> =
  ReturnType<Made>['_zod']['output'];

export interface GatewaySettings {
  readonly mail?: Gateway<typeof mailGateway> | undefined;
  readonly sms?: Gateway<typeof smsGateway> | undefined;
  readonly push?: Gateway<typeof pushGateway> | undefined;
  readonly yubico?: Gateway<typeof yubicoServers> | undefined;
}

export function gatewayRules({ mail, sms, push, yubico }: GatewaySettings): ConfigProblem[] {
  return [
    ...(mail?.type === 'smtp' ? smtpRules(mail) : []),
    ...(sms?.type === 'http' ? httpRules('sms', sms) : []),
    ...(sms?.type === 'smpp' ? smppRules(sms) : []),
    ...(push?.type === 'http' ? httpRules('push', push) : []),
    ...(push?.type === 'web' ? keyRules('push', push, webPushKey) : []),
    ...(yubico ? keyRules('yubico', yubico, 'with the key that belongs to client_id') : []),
  ];
}

function smtpRules(mail: Extract<GatewaySettings['mail'], { type: 'smtp' }>): ConfigProblem[] {
  const { security, allow_plain, user, password, password_file } = mail;
  const secrets = [password, password_file].filter((one) => one !== undefined).length;
  return [
    ...(security === 'none' && !allow_plain
      ? [
          inClear(
            ['mail', 'security'],
            'use starttls or tls, or set mail.allow_plain if the network is yours alone',
          ),
        ]
      : []),
    ...(secrets > 1 ? [twice(['mail', 'password_file'], 'password')] : []),
    ...(user !== undefined && secrets === 0
      ? [
          {
            path: ['mail', 'password_file'],
            message: 'is missing',
            cure: 'name a file with the password of user',
          },
        ]
      : []),
    ...(user === undefined && secrets > 0
      ? [{ path: ['mail', 'user'], message: 'is missing', cure: 'name who logs in with the password' }]
      : []),
  ];
}

function smppRules(sms: Extract<GatewaySettings['sms'], { type: 'smpp' }>): ConfigProblem[] {
  const { security, allow_plain, password, password_file } = sms;
  const secrets = [password, password_file].filter((one) => one !== undefined).length;
  return [
    ...(security === 'none' && !allow_plain
      ? [inClear(['sms', 'security'], 'use tls, or set sms.allow_plain if the network is yours alone')]
      : []),
    ...(secrets > 1 ? [twice(['sms', 'password_file'], 'password')] : []),
    ...(secrets === 0
      ? [
          {
            path: ['sms', 'password_file'],
            message: 'is missing',
            cure: 'name a file with the password of system_id',
          },
        ]
      : []),
  ];
}

const webPushKey = 'that "openssl genpkey -algorithm EC -pkeyopt ec_paramgen_curve:P-256" has made';

function keyRules(
  way: 'push' | 'yubico',
  { key, key_file }: { readonly key?: string | undefined; readonly key_file?: string | undefined },
  what: string,
): ConfigProblem[] {
  if (key !== undefined && key_file !== undefined) return [twice([way, 'key_file'], 'key')];
  if (key !== undefined || key_file !== undefined) return [];
  return [{ path: [way, 'key_file'], message: 'is missing', cure: `name a file ${what}` }];
}

type HttpGateway = Extract<GatewaySettings['sms'] | GatewaySettings['push'], { type: 'http' }>;

function httpRules(way: 'sms' | 'push', gateway: HttpGateway): ConfigProblem[] {
  const { url, allow_plain, json, form, secret, secret_file, query, headers, method } = gateway;
  const wrong = unknownIn({ url, query, headers, json, form }, templateVariables[way]);
  return [
    ...(/^http:/i.test(url) && !allow_plain
      ? [inClear([way, 'url'], `use https://, or set ${way}.allow_plain if the network is yours alone`)]
      : []),
    ...(json !== undefined && form !== undefined ? [twice([way, 'form'], 'json')] : []),
    ...(method === 'GET' && (json !== undefined || form !== undefined)
      ? [
          {
            path: [way, 'method'],
            message: 'is GET, which has no body',
            cure: 'use POST, or query in the place of a body',
          },
        ]
      : []),
    ...(secret !== undefined && secret_file !== undefined ? [twice([way, 'secret_file'], 'secret')] : []),
    ...(wrong === undefined
      ? []
      : [
          {
            path: [way],
            message: `has the variable {${wrong}}, which there is not`,
            cure: `there are ${named(templateVariables[way])}`,
          },
        ]),
  ];
}

const unknownIn = (template: object, known: readonly string[]): string | undefined =>
  [...JSON.stringify(template).matchAll(/\{([a-z_]+)\}/g)]
    .map(([, name = '']) => name)
    .find((name) => !known.includes(name));

const inClear = (path: Path, cure: string): ConfigProblem => ({
  path,
  message: 'would send messages in clear',
  cure,
});

const twice = (path: Path, other: string): ConfigProblem => ({
  ...{ path, message: `stands beside ${other}`, cure: 'keep one of the two' },
});
