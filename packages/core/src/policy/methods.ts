/** The rows of the method table for client policies (manager.md §3). */
import { clientModes } from '../config.ts';
import { ServiceError } from '../errors.ts';
import { method } from '../method.ts';
import { Network } from '../network.ts';
import { boolean, dn, integer, optional, text } from '../schema.ts';

export const policyMethods = {
  Set_Client_Mode: method({
    summary:
      'Sets the mode of a client, for all or for a group or network: 0 default, 1 step down, 2 step up, 3 no access; `timeout` in seconds. False for a client that is not configured.',
    on: 'group',
    params: {
      client: text(),
      mode: integer({ max: clientModes.length - 1 }),
      timeout: optional(integer({ max: 315_360_000 })),
      group: optional(dn()),
      network: optional(text()),
    },
    example: { client: 'vpn', mode: 3, timeout: 600 },
    result: boolean(),
    permission: 'write',
    run: ({ client, mode, timeout = 0, group, network }, { core }) => {
      if (network !== undefined && !Network.parse(network))
        throw new ServiceError('invalid_params', { detail: 'Parameter network is no address or network' });
      const wanted = { mode: clientModes[mode] ?? 'default', seconds: timeout === 0 ? undefined : timeout };
      return core.clients.setMode(client, { group, network }, wanted);
    },
  }),
} as const;
