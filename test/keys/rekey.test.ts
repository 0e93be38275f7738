/** A change of keys on real directories, under servers that run and people who log in. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Slapd, startSlapd } from '@watchword/core/testing/bed';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { codeAt, key, secretOf } from '../login/people.ts';
import { buildProgram, killedWhenItTells, type Program, start } from '../operator/program.ts';
import { Ground, type Installation, idOf, newKey } from './ground.ts';

const many = 3000;
let program: Program;
beforeAll(async () => {
  program = await buildProgram();
});
afterAll(() => program.dispose());

const password = 'the password of the first day';
type Servers = Awaited<ReturnType<Ground['startServers']>>;

/** People with a factor each. */
async function addFactors(
  { manager }: Servers,
  people: string,
): Promise<{ readonly list: readonly string[] }> {
  const dn = (uid: string) => `uid=${uid},${people}`;
  for (const uid of ['hotp', 'totp', 'list', 'emergency', 'dormant', 'runner']) {
    const attrs = { objectclass: ['inetOrgPerson'], cn: [uid], sn: [uid], userpassword: [password] };
    await manager.Create_LDAP_Object({ dn: dn(uid), attrs });
    await manager.Activate_LDAP_Object({ dn: dn(uid) });
  }
  for (const uid of ['hotp', 'dormant', 'runner', 'emergency'])
    await manager.Otp.HOTP_Register({ dn: dn(uid), key: secretOf(uid).toString('base64') });
  await manager.Otp.TOTP_Register({ dn: dn('totp'), key: secretOf('totp').toString('base64') });
  await manager.Set_User_Settings({ dn: dn('list'), settings: { 'Otp.OTPType': 'LIST' } });
  await manager.Otp.List_Register({ dn: dn('list'), size: 10 });
  const list = Object.values(await manager.Otp.List_Fetch({ dn: dn('list') })).map(String);
  await manager.Otp.Emerg_Register({ dn: dn('emergency'), otp: 'help-me-48', maxuse: 3 });
  await manager.Deactivate_LDAP_Object({ dn: dn('dormant') });
  return { list };
}

/** Logs in with one code after the other until it is told to stop. @returns the answers */
async function keepRunning({ web }: Servers, isOver: () => boolean): Promise<readonly number[]> {
  const codes: number[] = [];
  for (let counter = 0; !isOver(); counter += 1) {
    const answer = await web.otp.normalLogin({
      ...{ username: 'runner', ldapPassword: password, otpPassword: codeAt(counter, secretOf('runner')) },
    });
    codes.push(answer.code);
  }
  return codes;
}

/** @param open the directory, once for the tests */
function describeRekey(name: string, open: () => Promise<Installation & { stop?(): Promise<void> }>): void {
  describe(name, () => {
    let place: Awaited<ReturnType<typeof open>>;
    let ground: Ground;
    let servers: Servers;
    let list: readonly string[];
    let [older, newer] = ['', newKey()];
    beforeAll(async () => {
      place = await open();
      ground = await Ground.open(program, place);
      servers = await ground.startServers();
      ({ list } = await addFactors(servers, place.people));
      await ground.stopServers();
      await ground.addMany(many);
      [older = ''] = await ground.ring();
      servers = await ground.startServers();
    });
    afterAll(async () => {
      await ground?.close();
      await place?.stop?.();
    });
    const logIn = async (username: string, otpPassword: string) =>
      (await servers.web.otp.normalLogin({ username, ldapPassword: password, otpPassword })).code;
    const factors = () => servers.manager.Otp;
    const held = async (id: string) => {
      const { keys = [] } = await servers.manager.Server_Status({ keys: true });
      return keys.find((one) => one.id === id)?.values;
    };

    it('waits for the servers that run with the old ring alone, and changes nothing', async () => {
      await ground.useRing(newer, older);
      const result = await ground.ask('rekey');
      expect(result.code).toBe(1);
      expect(result.errors).toMatch(
        /process \d+ on \S+ \(watchword-(?:manager|ws)\) and process .+ do not encrypt with/,
      );
      expect((await ground.ask('keys')).output).toContain(`${idOf(newer)} encrypts: 0 secrets`);
    });

    it('is cut short by kill -9 and taken up again, while somebody logs in, and loses nothing', async () => {
      servers = await ground.startServers();
      const session = await factors().Mobile_Session({ timeout: 300 });
      let isOver = false;
      const running = keepRunning(servers, () => isOver);
      const command = killedWhenItTells(program.command, /^\d+ of \d+ secrets$/m);
      expect(await start(['rekey', '-c', ground.file], command).ended).toMatchObject({ code: null });
      const left = await held(idOf(older));
      expect(left).toBeGreaterThan(0);
      expect(left).toBeLessThan(many);
      const result = await ground.ask('rekey');
      isOver = true;
      expect(result).toMatchObject({ code: 0, errors: '' });
      expect(result.output).toContain(`${idOf(older)} only decrypts: 0 secrets`);
      const codes = await running;
      expect(codes.length).toBeGreaterThan(1);
      expect(new Set(codes)).toEqual(new Set([1]));
      expect(await held(idOf(older))).toBe(0);
      expect(await held(idOf(newer))).toBeGreaterThan(many);
      const parts = { name: 'T', key, userid: 'totp', domain: 'Default', session };
      expect(await factors().TOTP_URI(parts)).toContain('otpauth://');
      // The codes of before are used up still.
      expect(await logIn('runner', codeAt(codes.length - 1, secretOf('runner')))).toBe(0);
      expect(await logIn('runner', codeAt(codes.length, secretOf('runner')))).toBe(1);
    });

    it('everybody logs in when the old key is gone, with every factor', async () => {
      await ground.useRing(newer);
      servers = await ground.startServers();
      expect(await logIn('hotp', codeAt(0, secretOf('hotp')))).toBe(1);
      expect(await logIn('hotp', codeAt(0, secretOf('hotp')))).toBe(0);
      expect(await logIn('totp', codeAt(Math.floor(Date.now() / 30_000), secretOf('totp')))).toBe(1);
      expect(await logIn('list', list[3] ?? '')).toBe(1);
      expect(await logIn('list', list[3] ?? '')).toBe(0);
      expect(await logIn('emergency', 'help-me-48')).toBe(1);
      const dn = `uid=dormant,${place.people}`;
      await servers.manager.Activate_LDAP_Object({ dn });
      expect(await logIn('dormant', codeAt(0, secretOf('dormant')))).toBe(1);
      const { keys } = await servers.manager.Server_Status({ keys: true });
      expect(keys).toEqual([{ id: idOf(newer), use: 'encrypts', values: expect.any(Number) }]);
    });
  });
}

describeRekey('rekey on an embedded directory', async () => ({
  administrator: { username: 'admin', password },
  people: 'ou=people,dc=example,dc=com',
  yaml: `directory: {type: embedded, base: "dc=example,dc=com"}
domains: {Default: {base: "dc=example,dc=com"}}
manager_auth: UID
super_admins: ["cn=administrators,ou=groups,dc=example,dc=com"]`,
  prepare: async (folder, file) => {
    const secret = join(folder, 'password');
    await writeFile(secret, password, { mode: 0o600 });
    const args = ['init', '-c', file, '--base', 'dc=example,dc=com', '--password-file', secret];
    expect((await start(args, program.command).ended).code).toBe(0);
  },
}));

describeRekey('rekey on OpenLDAP', async () => {
  const slapd: Slapd = await startSlapd();
  return {
    administrator: { username: slapd.adminDn, password: slapd.adminPassword },
    people: slapd.people,
    yaml: `directory:
  {type: ldap, urls: [${slapd.ldapsUrl}], ca: slapd.pem, base: "${slapd.base}",
   bind_dn: "${slapd.rootDn}", bind_password: ${slapd.rootPassword}}
domains: {Default: {base: "${slapd.base}"}}
manager_auth: DN
super_admins: ["${slapd.adminDn}"]`,
    prepare: (folder) => writeFile(join(folder, 'slapd.pem'), slapd.ca),
    stop: () => slapd.stop(),
  };
});
