/** What servers in the field have, we have; what we have beyond it is known here. */
import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { contractMethods, contractOperations, contractSettings } from './names.ts';

/** Ours: the interface has no method for it. */
const ourMethods = [
  ...['Who_Am_I', 'What_May_I', 'List_Certificates', 'Revoke_Certificate'],
  ...['Get_Inventory_Item', 'Remove_Inventory_Item'],
  ...['Sso.User_Sessions', 'Sso.Session_Stop'],
  ...['Search_Event_Logs', 'Export_Event_Logs', 'Admin_Sessions', 'End_Admin_Session'],
  ...['List_Nodes', 'User_Places'],
  ...['List_Roles', 'Set_Role', 'Remove_Role'],
  ...['List_API_Keys', 'Make_API_Key', 'Renew_API_Key', 'Revoke_API_Key'],
  ...['List_Config', 'Get_Config', 'Set_Config', 'Config_History', 'Restore_Config'],
  ...['Explain_User_Settings', 'Find_Users', 'Get_Directory_Schema', 'List_LDAP_Children'],
  'Export_LDAP_Objects',
  ...['SelfDesk.Overview', 'SelfDesk.Recent_Logins', 'SelfDesk.End_Sessions'],
  ...['SelfDesk.Change_Password', 'SelfDesk.Remove_Factor', 'SelfDesk.Password_Rules'],
  ...['SelfDesk.User_Sessions', 'SelfDesk.End_Session', 'Otp.Factor_Rename', 'Sshkey.User_Key'],
  ...['SshKey.User_Recordings', 'SshKey.Recording_Get', 'SshKey.Recording_Remove'],
];

const read = (path: string) => readFile(new URL(`../../docs/${path}`, import.meta.url), 'utf8');
const { methods }: { methods: readonly { readonly name: string }[] } = JSON.parse(
  await read('reference/openrpc.json'),
);
const { paths }: { paths: Readonly<Record<string, object>> } = JSON.parse(
  await read('reference/openapi.json'),
);

/** Callers are not told by capitals. */
const sorted = (names: readonly string[]) => names.map((name) => name.toLowerCase()).toSorted();

it.each([
  [
    'methods of the Manager',
    {
      contract: contractMethods,
      ours: ourMethods,
      there: methods.map(({ name }) => name),
    },
  ],
  [
    'operations of the web services',
    {
      contract: contractOperations,
      ours: [],
      there: Object.keys(paths).map((path) => path.split('/').filter(Boolean).at(-1) ?? ''),
    },
  ],
])('the %s', (_, { contract, ours, there }) => {
  expect(contract.length).toBeGreaterThan(40);
  expect(new Set(contract).size).toBe(contract.length);
  expect(sorted(there)).toEqual(sorted([...contract, ...ours]));
});

/** Names of ours: which accounts systems keep for themselves, what they are told, and who issues tokens. */
const ourSettings = [
  ...['SshKey.ReservedNames', 'SshKey.MinUID', 'SshKey.MinGID', 'Otp.Issuer'],
  ...['SshKey.WelcomeMessage', 'SshKey.CreateAccount', 'SshKey.OfflineLogin', 'SshKey.AuditRule'],
  'SshKey.SudoAdvanced',
];

/** To the letter, as they stand on entries. */
it('the settings of the applications', async () => {
  const there = [...(await read('reference/application-settings.md')).matchAll(/^\| `([^`]+)` \|/gm)].map(
    ([, name]) => name,
  );
  const known = new Set(contractSettings.map((name) => name.split('.')[0]));
  expect(there.filter((name) => known.has(name?.split('.')[0])).toSorted()).toEqual(
    [...contractSettings, ...ourSettings].toSorted(),
  );
  expect(new Set(contractSettings).size).toBe(contractSettings.length);
});
