/** The rows of the method table for client policies. */

import { clientModes } from '../../config/sections/client-policy.ts';
import { onExisting } from '../../directory/entry/entry.ts';
import { method } from '../../table/method.ts';
import {
  boolean,
  dn,
  flag,
  integer,
  mapOf,
  optional,
  settingNames,
  singleWord,
  success,
  text,
  written,
} from '../../table/schema/index.ts';
import type { EffectiveRights } from '../access/effective-rights.ts';
import { assertSuperAdmin } from '../access/super-admin.ts';
import { apiKeyMethods } from './api-keys/methods.ts';
import type { ClientPolicies } from './client-policies.ts';
import {
  type ExplainedSetting,
  type ExplainingView,
  explainSettings,
  settingLayerNames,
} from './explained-settings.ts';
import { type UnlockingView, unlock } from './self/web-applications.ts';

export interface ModeView {
  readonly clients: Pick<ClientPolicies, 'setMode'>;
  readonly rights: Pick<EffectiveRights, 'isSuperAdmin'>;
}

const standing = {
  value: { type: 'string' },
  layer: { enum: settingLayerNames },
  from: {
    type: ['string', 'null'],
    description:
      'The group, the user or the client; null: of none, or of a group that the caller may not see.',
  },
};

const explained = written(
  {
    type: 'object',
    properties: {
      ...standing,
      overridden: {
        type: 'array',
        items: { type: 'object', properties: standing },
        description: 'What would hold without it, the strongest first.',
      },
      unsupported: {
        type: 'string',
        description: 'Why nothing acts on the setting in this version; left out: it works.',
      },
    },
  },
  (setting: ExplainedSetting) => setting,
);

export const policyMethods = {
  ...apiKeyMethods,
  Set_Client_Mode: method({
    summary:
      'Sets the mode of a client: 0 default, 1 step down, 2 step up, 3 no access; `timeout` in seconds. With `group`, it ' +
      'holds in the client’s policies for groups, too, and with `network` in those for networks; without, whom one of ' +
      'these is for keeps the configured mode. False for a client that is not configured. For super administrators only.',
    on: 'nothing',
    params: {
      client: text(),
      mode: integer({ max: clientModes.length - 1 }),
      timeout: optional(integer({ max: 315_360_000 })),
      group: optional(flag()),
      network: optional(flag()),
    },
    example: { client: 'vpn', mode: 3, timeout: 600, group: true, network: true },
    result: boolean(),
    permission: 'write',
    needs: ['isSuper'],
    run: ({ client, mode, timeout = 0, group = false, network = false }, call: ModeView) => {
      // A client's mode counts for users of every subtree.
      assertSuperAdmin(call, 'set the mode of a client');
      const wanted = { mode: clientModes[mode] ?? 'default', seconds: timeout === 0 ? undefined : timeout };
      return call.clients.setMode(client, { group, network }, wanted);
    },
  }),
  Explain_User_Settings: method({
    summary:
      'Explains the settings in force for a user: the layer of each, and what it covers; with `client`, for logins by that client, and with `source`, from that address.',
    on: 'dn',
    params: {
      dn: dn(),
      settings: optional(settingNames()),
      client: optional(text()),
      source: optional(singleWord()),
    },
    example: { dn: 'uid=alice,ou=people,dc=example,dc=org' },
    result: mapOf(explained),
    permission: 'read',
    needs: ['readsSettings'],
    run: ({ dn, ...asked }, call: ExplainingView) => explainSettings(dn, asked, call),
  }),
  Unlock_Application_Access: method({
    summary:
      'Opens a web application (`selfdesk`, `pwreset`, `selfreg`, `openid`) to a user for `expires` seconds, at most 30 days, whatever locks it; 0 takes that back.',
    on: 'dn',
    params: { dn: dn(), application: singleWord(), expires: integer({ max: 30 * 86_400 }) },
    example: { dn: 'uid=alice,ou=people,dc=example,dc=org', application: 'pwreset', expires: 3600 },
    result: success(),
    permission: 'write',
    run: ({ dn, application, expires }, call: UnlockingView) =>
      onExisting(call.directory, dn, () => unlock(dn, { application, seconds: expires }, call)),
  }),
} as const;
