/** The rows of the method table for API keys of calling systems (ours). */
import { formatTimestamp } from '../../../foundation/text/timestamp.ts';
import { method } from '../../../table/method.ts';
import {
  integer,
  list,
  optional,
  singleWord,
  text,
  timestampOrNone,
  written,
} from '../../../table/schema/index.ts';
import { type KeysView, type ListedKey, listKeys } from './listed-keys.ts';
import {
  type ChangingKeys,
  makeKey,
  type RenewedKey,
  renewKey,
  revokeKey,
  type ShownKey,
} from './made-keys.ts';

const field = { type: 'string' };
const words = { type: 'array', items: field };
const version = { type: 'integer', description: 'The version of the settings at run time with the change.' };
const id = { ...field, description: 'The number in front of the underscore.' };
const key = { ...field, description: 'The key, for the header `X-API-Key`. It is shown only now.' };
const momentOrNull = (description: string) => ({
  type: ['string', 'null'],
  description: `\`YYYY-MM-DD HH:MM:SS\` in UTC; ${description}`,
});

const listed = written(
  {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        id,
        at: { ...field, description: 'The path in the configuration.' },
        layer: {
          enum: ['file', 'runtime'],
          description: '`runtime`: made here; `file`: in the configuration file, where it is changed.',
        },
        owner: {
          type: ['string', 'null'],
          description: 'The person or team that is responsible; null: unnamed.',
        },
        services: { ...words, type: ['array', 'null'], description: 'null: all of them.' },
        clients: { ...words, description: 'Addresses and networks that it is good from; none: everywhere.' },
        client: {
          type: ['string', 'null'],
          description: 'The client policy that it stands for; null: the one that a request names.',
        },
        expires: momentOrNull('null: no end.'),
        state: {
          enum: ['valid', 'renewed', 'expired'],
          description: '`renewed`: the key before is valid as well, until `renewed_until`.',
        },
        renewed_until: momentOrNull('null: no key before is valid.'),
        last_used: {
          type: ['object', 'null'],
          properties: {
            time: { ...field, description: 'The hour, `YYYY-MM-DD HH:MM:SS` in UTC.' },
            address: { ...field, description: 'The address of the calling system.' },
          },
          description: 'The last use, to the hour; null: none within 400 days.',
        },
      },
    },
  },
  (found: readonly ListedKey[]) =>
    found.map(({ owner, services, client, expires, overlap, used, ...rest }) => ({
      ...rest,
      ...{ owner: owner ?? null, services: services ?? null, client: client ?? null },
      ...{ expires: expires ?? null, renewed_until: overlap ?? null },
      last_used: used ? { time: formatTimestamp(used.hour), address: used.address } : null,
    })),
);

const made = written({ type: 'object', properties: { id, key, version } }, (shown: ShownKey) => ({
  ...shown,
}));

const renewed = written(
  {
    type: 'object',
    properties: { id, key, renewed_until: momentOrNull('null: the key before has ended.'), version },
  },
  ({ until, ...shown }: RenewedKey) => ({
    ...shown,
    renewed_until: until === undefined ? null : formatTimestamp(until),
  }),
);

const revoked = written({ type: 'object', properties: { version } }, (number: number) => ({
  version: number,
}));

/** An id of at most 15 digits, as the configuration has it. */
const keyId = () => integer({ max: 999_999_999_999_999 });

const day = 86_400;

export const apiKeyMethods = {
  List_API_Keys: method({
    summary:
      'Lists the API keys of calling systems: owner, what each opens, its end, its state, its last use, and the layer of the configuration that has it; never a key or its digest. For super administrators only.',
    on: 'nothing',
    params: {},
    result: listed,
    permission: 'read',
    needs: ['isSuper'],
    run: (_, call: KeysView) => listKeys(call),
  }),
  Make_API_Key: method({
    summary:
      'Makes an API key of a calling system, and answers the key, which is shown only now: a new version of the settings at run time, in force at the next request on every node. Left out, `services` are all, `clients` all addresses, `client` the one that a request names, and `expires` never. It is judged as `Set_Config`, and wants a sign-in with a second factor within the last fifteen minutes. For super administrators only.',
    on: 'nothing',
    params: {
      owner: singleWord(),
      services: optional(list()),
      clients: optional(list()),
      client: optional(singleWord()),
      expires: timestampOrNone(),
      comment: optional(text()),
    },
    example: {
      ...{ owner: 'Network team', services: ['otp'], clients: ['192.0.2.0/24'] },
      expires: '2030-01-01 00:00:00',
    },
    result: made,
    permission: 'write',
    needs: ['isSuper'],
    run: (wanted, call: ChangingKeys) => makeKey(wanted, call),
    audit: ({ id, version }) => ({ id, version: String(version) }),
  }),
  Renew_API_Key: method({
    summary:
      'Renews an API key that was made at run time, and answers the new key, which is shown only now. The key before is valid for `overlap` seconds as well, by default a day, at most 30 days; 0 ends it at once. Left out, `expires` stays. It is judged as `Make_API_Key`. For super administrators only.',
    on: 'nothing',
    params: {
      id: keyId(),
      overlap: optional(integer({ max: 30 * day })),
      expires: timestampOrNone(),
      comment: optional(text()),
    },
    example: { id: 1001, overlap: day },
    result: renewed,
    permission: 'write',
    needs: ['isSuper'],
    run: ({ id, overlap = day, ...more }, call: ChangingKeys) =>
      renewKey({ id: String(id), overlap, ...more }, call),
    audit: ({ version }) => ({ version: String(version) }),
  }),
  Revoke_API_Key: method({
    summary:
      'Revokes an API key that was made at run time, and the key before it: both are refused at the next request on every node. It is judged as `Make_API_Key`. For super administrators only.',
    on: 'nothing',
    params: { id: keyId(), comment: optional(text()) },
    example: { id: 1001 },
    result: revoked,
    permission: 'write',
    needs: ['isSuper'],
    run: ({ id, comment }, call: ChangingKeys) => revokeKey({ id: String(id), comment }, call),
    audit: (version) => ({ version: String(version) }),
  }),
} as const;
