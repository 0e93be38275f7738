/** The rows of the method table for reports on users. */

import { formatTimestamp } from '../../../foundation/text/timestamp.ts';
import { method } from '../../../table/method.ts';
import {
  answeredTexts,
  dn,
  either,
  filter,
  flag,
  mapOf,
  optional,
  settingNames,
  text,
  written,
} from '../../../table/schema/index.ts';
import { deviceToWire } from '../device/device-administration.ts';
import { blockToWire, tokenToWire } from '../token/token-report.ts';
import { type PasswordAge, type ReportView, reportOn, reportOnDomain, type UserReport } from './report.ts';

const parts = () => ({
  ...{ token: optional(flag()), u2f: optional(flag()), block: optional(flag()) },
  ...{ expire: optional(flag()), reset: optional(flag()) },
});

const alice = 'uid=alice,ou=people,dc=example,dc=org';
const plain = { type: 'string' };
const moment = { ...plain, description: '`YYYY-MM-DD HH:MM:SS` in UTC; left out: there is none.' };

const report = () =>
  written(
    {
      type: 'object',
      properties: {
        ...{ lastlogin: moment, methods: { type: 'array', items: plain }, settings: { type: 'object' } },
        token: { type: 'array', description: 'As User_Tokens.' },
        u2f: { type: 'array', description: 'As User_Devices.' },
        block: { type: 'object', description: 'As Block_Check.' },
        expire: {
          type: 'object',
          description: 'Of the password, as far as the directory tells.',
          properties: { changed: moment, expires: moment, mustchange: { type: 'boolean' } },
        },
      },
    },
    ({ lastLogin, methods, settings, tokens, devices, block, password }: UserReport, dialect) => ({
      ...(lastLogin !== undefined && { lastlogin: lastLogin }),
      methods,
      ...(settings && { settings: Object.fromEntries(answeredTexts(settings, dialect)) }),
      ...(tokens && { token: tokens.map(tokenToWire) }),
      ...(devices && { u2f: devices.map(deviceToWire) }),
      ...(block && { block: blockToWire(block) }),
      ...(password && { expire: tellPassword(password) }),
    }),
  );

const tellPassword = ({ changed, expires, mustChange }: PasswordAge) => ({
  ...(changed !== undefined && { changed: formatTimestamp(changed) }),
  ...(expires !== undefined && { expires: formatTimestamp(expires) }),
  mustchange: mustChange,
});

const isNone = (value: unknown): value is false => value === false;

export const reportMethods = {
  User_Report: method({
    summary:
      'Tells of a user what it logs in with and when it did last; with `token`, `u2f`, `block` and `expire` its tokens, FIDO2 devices, block and the age of its password too.',
    on: 'dn',
    params: { dn: dn(), ...parts() },
    example: { dn: alice, token: true, block: true },
    result: report(),
    permission: 'read',
    needs: ['readsFactors'],
    run: ({ dn, ...wanted }, call: ReportView) => reportOn(dn, wanted, call),
  }),
  Domain_Report: method({
    summary:
      'Tells the same of all activated users of a domain, or of those that `filter` names, by DN; with the values of `settings` in force. False for an unknown domain.',
    on: 'nothing',
    params: {
      domain: text(),
      filter: optional(filter()),
      settings: optional(settingNames()),
      ...parts(),
    },
    example: { domain: 'Default', filter: '(uid=a*)', token: true },
    result: either(
      written({ const: false }, () => false as const),
      mapOf(report()),
      isNone,
    ),
    permission: 'read',
    needs: ['readsLogins', 'readsFactors'],
    run: (wanted, call: ReportView) => reportOnDomain(wanted, call),
  }),
} as const;
