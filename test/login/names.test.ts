/** An installation with words and a default domain of its own: `names` renames every word on the wire. */
import type { Fixture } from '@watchword/core/testing/bed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { addGroup, Cast } from './cast.ts';
import { openClientDoor } from './client-door.ts';
import { directories, type Ground } from './directories.ts';
import { type Door, doors, wires } from './doors.ts';
import { config } from './rows/policies.ts';
import { granted, passwordOnly, refused, set, totp, usual } from './rows/row.ts';

const word = 'exampleotp';

let ground: Ground;
let renamed: Fixture;
let cast: Cast;
let closeClient: () => Promise<void>;
const opened = new Map<string, Door>();
beforeAll(async () => {
  ground = await directories['the embedded directory'](config);
  await addGroup(ground, 'guests', {});
  cast = new Cast(ground);
  const names = { Otp: 'ExampleOTP', otp: word };
  const websrvs = { otp: { default_domain: 'Guests' } };
  renamed = await ground.another({ config: { ...config, names, websrvs } });
  for (const [name, open] of Object.entries(doors)) opened.set(name, open(renamed.service, word));
  const client = await openClientDoor(renamed.service, word);
  opened.set('the typed client', client.door);
  closeClient = client.close;
});
afterAll(async () => {
  await closeClient();
  await renamed.close();
  await ground.close();
});

describe.each(Object.keys(doors))('over %s', (name) => {
  const ask: Door = async (operation, fields) => (await opened.get(name)?.(operation, fields)) ?? {};

  it('a login of the installation’s words', async () => {
    const user = await cast.find('guest', { ...usual, groups: ['guests'] });
    const settings = 'ExampleOTP.LoginMode=LDAP';
    expect(await ask('normalLogin', { username: user.username, ...passwordOnly(user), settings })).toEqual(
      granted,
    );
    expect(renamed.events().at(-1)).toMatchObject({ application: 'ExampleOTP' });
  });

  it('our words are understood as well', async () => {
    const user = await cast.find('guest', { ...usual, groups: ['guests'] });
    const settings = 'Otp.LoginMode=LDAP';
    const ours = doors[name]?.(renamed.service, 'otp');
    expect(await ours?.('normalLogin', { username: user.username, ...passwordOnly(user), settings })).toEqual(
      granted,
    );
  });

  it('the default domain of the service holds where nothing else does', async () => {
    const user = await cast.find('no guest', { done: [totp, set({ LoginMode: 'LDAP' })] });
    const named = { username: user.username, ...passwordOnly(user) };
    expect(await ask('normalLogin', named)).toEqual(refused);
    expect(await ask('normalLogin', { ...named, domain: 'Default' })).toEqual(granted);
  });
});

it('the answer of SOAP is in the installation’s words', async () => {
  const answer = await wires.SOAP?.(renamed.service, word)('normalLogin', { username: 'nobody' });
  expect(await answer?.text()).toContain(`<ns1:${word}NormalLoginResponse xmlns:ns1="urn:${word}">`);
});
