/**
 * A data folder that servers of an earlier commit have worked in (`earlier/README.md`), opened by what is packed today. The clock is that of
 * today, and then that of the moment at which the folder was left: only then was a TOTP code that was used before inside its window.
 *
 * Seen to fail with the fixture changed: without the rows of used codes, of limits, or of revoked certificates, without one event, and with
 * another key ring. Seen to fail with claims and the comparison of time steps taken out of the bundle; the counter of a HOTP token is held
 * by its entry as well.
 */
import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createManager, type Manager } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeAt } from '../login/people.ts';
import {
  admin,
  base,
  certificates,
  clockOfThen,
  type Doors,
  dnOf,
  type EarlierFolder,
  inTurn,
  list,
  moment,
  openDoors,
  secrets,
  unpackEarlier,
  used,
} from './earlier/earlier-folder.ts';
import { type Ended, type Installation, openInstallation, placeOf, type Server } from './installation.ts';

const run = promisify(execFile);

let installation: Installation;
beforeAll(async () => {
  installation = await openInstallation();
});
afterAll(() => installation.close());

const failureOf = ({ code, errors }: Ended) => [code, /^.*(?:ERROR|a call failed).*$/m.exec(errors)];

describe('a folder of an earlier version, today', () => {
  let folder: EarlierFolder;
  let exported: Ended;
  let servers: readonly Server[] = [];
  let transport: ReturnType<typeof nodeTransport>;
  let manager: Manager;
  let doors: Doors;
  beforeAll(async () => {
    folder = await unpackEarlier(installation, 'today');
    exported = await folder.command('export-ldif');
    const start = (name: string) => installation.serve(name, '--config', folder.configuration);
    servers = await Promise.all(['watchword-manager', 'watchword-ws'].map(start));
    const [managerUrl = '', url = ''] = servers.map((server) => server.url);
    transport = nodeTransport({ ca: folder.ca });
    manager = createManager({ url: new URL('manag/', managerUrl).href, ...admin, fetch: transport.fetch });
    doors = openDoors(url, folder.ca);
  });
  afterAll(async () => {
    await Promise.all([transport.close(), doors.close()]);
    const ended = await Promise.all(servers.map((server) => server.stop()));
    expect(ended.map(failureOf)).toEqual(ended.map(() => [0, null]));
  });

  it('passes --check without a warning', async () => {
    const { code, output, errors } = await folder.command('--check');
    expect([code, errors]).toEqual([0, '']);
    expect(output).toMatch(
      /^7 users in Default, 6 of them activated\n1 administrator\nThe configuration is good\.$/m,
    );
  });

  it('has every entry and every value that it had', async () => {
    expect(exported).toMatchObject({ code: 0, output: await folder.read('directory.ldif') });
  });

  it('lets the administrator sign in, and reads the settings of a group', async () => {
    expect(await manager.Get_User_DN({ username: 'alice', domain: 'Default' })).toBe(dnOf('alice'));
    const settings = await manager.Get_User_Settings({ dn: `cn=staff,${base}`, settings: ['Otp.LoginMode'] });
    expect(settings).toEqual({ 'Otp.LoginMode': 'LDAP' });
  });

  it('accepts a code of now from a TOTP token, once', async () => {
    const code = codeAt(Math.floor(Date.now() / 30_000), secrets.alice);
    expect(await inTurn(doors.login, 'alice', [code, code])).toEqual([1, 0]);
  });

  it('refuses the code of a HOTP token that was used before, and accepts the next one', async () => {
    const next = codeAt(1, secrets.harry);
    expect(await inTurn(doors.login, 'harry', [used.hotp, next, next])).toEqual([0, 1, 0]);
  });

  it('refuses the code of a printed list that was used before, and accepts another one', async () => {
    expect(await manager.Otp.List_State({ dn: dnOf('lisa') })).toEqual({ size: 10, used: 1 });
    const [first = '', , third = ''] = list;
    expect(await inTurn(doors.login, 'lisa', [first, third, third])).toEqual([0, 1, 0]);
  });

  it('applies the settings of a group, the policies of clients, and an API key', async () => {
    const { login, loginAtKiosk } = doors;
    expect([await login('bob'), await login('alice'), await loginAtKiosk('alice')]).toEqual([1, 2, 1]);
    expect(await login('bob', undefined, 'lobby')).toBe(0);
  });

  it('keeps a lockout until an administrator lifts it', async () => {
    const dn = dnOf('lucas');
    expect(await manager.Otp.Block_Check({ dn })).toMatchObject({ blocked: true, passwords: 5 });
    expect(await doors.loginAtKiosk('lucas')).toBe(0);
    await manager.Otp.Block_Reset({ dn });
    expect(await doors.loginAtKiosk('lucas')).toBe(1);
  });

  it('reads the events of before', async () => {
    const events = await manager.Get_Event_Logs({ application: 'Otp', dn: dnOf('harry'), max: 100 });
    const times = Object(events).map(({ time }: { time: string }) => Date.parse(`${time}Z`));
    expect(times.filter((time: number) => time < moment)).toHaveLength(2);
  });

  it('exports a log that begins with the records of before, and verifies it with the key of before', async () => {
    const { output } = await folder.command('audit', 'export');
    await installation.write('events.jsonl', output);
    for (const file of ['events.jsonl', 'today/events.jsonl']) {
      const verify = ['audit', 'verify', file, '--key', 'today/event-log.pem'];
      expect(await installation.run('watchword-manager', ...verify)).toMatchObject({
        ...{ code: 0, output: expect.stringContaining('Whole and unchanged') },
      });
    }
    const records = (await folder.read('events.jsonl')).trimEnd().split('\n').slice(0, -1);
    expect(output.split('\n').slice(0, records.length)).toEqual(records);
  });

  it('lists the certificates of before, and publishes the revoked one with the same authority', async () => {
    expect(await manager.List_Certificates({ dn: dnOf('alice') })).toMatchObject([
      { serial: certificates.good, status: 'valid' },
      { serial: certificates.revoked, status: 'revoked' },
    ]);
    const file = join(installation.folder, 'crl');
    await writeFile(file, await doors.get('crl'));
    const authority = join(installation.folder, 'today/data/ca.pem');
    const words = ['crl', '-inform', 'DER', '-in', file, '-CAfile', authority, '-noout', '-text'];
    const { stdout, stderr } = await run('openssl', words);
    expect(stderr).toContain('verify OK');
    expect(stdout.toLowerCase()).toContain(`serial number: ${certificates.revoked}`);
    expect(stdout.toLowerCase()).not.toContain(`serial number: ${certificates.good}`);
  });

  it('is copied by backup', async () => {
    expect(await folder.command('backup', 'today/copy')).toMatchObject({ code: 0, errors: '' });
  });
});

describe('a folder of an earlier version, at the moment at which it was left', () => {
  let server: Server;
  let doors: Doors;
  beforeAll(async () => {
    const { configuration } = await unpackEarlier(installation, 'then');
    await installation.write('clock.mjs', clockOfThen);
    const program = join(placeOf('@watchword/server-ws'), 'dist/main.js');
    const words = ['--import', './clock.mjs', program, '--config', configuration];
    server = await installation.serve('node', ...words);
    doors = openDoors(server.url);
  });
  afterAll(() => doors.close());

  it('accepts the emergency password as often as was left', async () => {
    const { emergency } = used;
    expect(await inTurn(doors.login, 'emma', [emergency, emergency])).toEqual([1, 0]);
  });

  it('refuses the TOTP code that was used before as a replay, and accepts the next one', async () => {
    const next = codeAt(used.step + 1, secrets.alice);
    expect(await inTurn(doors.login, 'alice', [used.totp, next])).toEqual([0, 1]);
    const ended = await server.stop();
    expect(failureOf(ended)).toEqual([0, null]);
    expect(ended.errors.match(/^.*Default\\\\alice.*\(replay\)/gm)).toHaveLength(1);
  });
});
