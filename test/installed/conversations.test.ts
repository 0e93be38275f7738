/**
 * One whole conversation with each door and feature of what was packed and installed: begun as its clients begin it, to the end,
 * with a refusal and a replay. A new application without one fails here.
 */
import { bundled } from '@watchword/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configuration } from './conversations/configuration.ts';
import { jsonRpc } from './conversations/json-rpc.ts';
import { ldap } from './conversations/ldap.ts';
import { openIdConnect } from './conversations/openid-connect.ts';
import { operator } from './conversations/operator.ts';
import { pages } from './conversations/pages.ts';
import { phone } from './conversations/phone.ts';
import { restAndSoap } from './conversations/rest-and-soap.ts';
import { securityKey } from './conversations/security-key.ts';
import { services } from './conversations/services.ts';
import { softToken } from './conversations/soft-token.ts';
import { type Conversation, openStand, type Stand } from './conversations/stand.ts';

const conversations: Readonly<Record<string, Conversation>> = {
  'JSON-RPC': jsonRpc,
  'REST and SOAP': restAndSoap,
  'OpenID Connect': openIdConnect,
  LDAP: ldap,
  'security keys': securityKey,
  'the soft token': softToken,
  'the phone': phone,
  services,
  pages,
  'metrics and the event log': operator,
  'settings at run time': configuration,
};

let open: Stand;
beforeAll(async () => {
  open = await openStand();
});
afterAll(async () => {
  const ended = await open.close();
  const failures = ended.map(({ code, output, errors }) => [
    code,
    /^.*a call failed.*$/m.exec(output + errors),
  ]);
  expect(failures).toEqual(ended.map(() => [0, null]));
});

// They wait for refusals, a second each, and for nothing of one another.
describe.concurrent.each(Object.entries(conversations))('%s', (_, { tests }) => tests(() => open));

it('talks to every application that settings can be of, but the one that only has settings', () => {
  const about = new Set(Object.values(conversations).flatMap((each) => each.about));
  expect([...about, 'HelpDesk'].sort()).toEqual(Object.keys(bundled).sort());
});
