/** `--check` of a real slapd and of an embedded directory, and a server when it starts. */
import { readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startAndStop, tryServer } from '../../../core/src/testing/bed/engines/server-check.ts';
import { type Slapd, type SlapdOptions, startSlapd } from '../../../core/src/testing/bed/engines/slapd.ts';
import { run, scratchFolder } from '../../../core/src/testing/bed/scratch.ts';

const base = 'dc=example,dc=org';
const good = 'The configuration is good.';

let folder: string;
beforeAll(async () => {
  folder = await scratchFolder('check');
});
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);

interface Setting {
  readonly directoryBase?: string;
  readonly people?: string;
  /** Properties of the domain, instead of its base. */
  readonly domain?: string;
  readonly superAdmins?: readonly string[];
  readonly bind?: { readonly dn: string; readonly password: string };
  readonly more?: string;
}

/** A configuration for a slapd; it has no data folder. */
function configure(
  { ldapsUrl, ca, rootDn, rootPassword, adminDn, people }: Slapd,
  setting: Setting = {},
): string {
  const { bind = { dn: rootDn, password: rootPassword } } = setting;
  writeFileSync(at('ca.pem'), ca);
  const text = `data: data
log: {level: error}
directory:
  type: ldap
  urls: [${ldapsUrl}]
  ca: ca.pem
  base: "${setting.directoryBase ?? base}"
  bind_dn: "${bind.dn}"
  bind_password: "${bind.password}"
  timeout_s: 5
domains: {Default: {${setting.domain ?? `base: "${setting.people ?? people}"`}}}
super_admins: ${JSON.stringify(setting.superAdmins ?? [adminDn])}
manager: {port: 0}
${setting.more ?? ''}`;
  writeFileSync(at('watchword.yaml'), text, { mode: 0o600 });
  return at('watchword.yaml');
}

const check = (slapd: Slapd, setting: Setting = {}, server: 'manager' | 'ws' = 'manager') =>
  tryServer(configure(slapd, setting), server);

async function start(options: SlapdOptions = {}): Promise<Slapd> {
  const slapd = await startSlapd(options);
  onTestFinished(() => slapd.stop());
  return slapd;
}

describe('--check in front of OpenLDAP', () => {
  let slapd: Slapd;
  beforeAll(async () => {
    slapd = await startSlapd({ users: 12 });
    return () => slapd.stop();
  });
  const found = (count: string) => [
    `the data folder ${at('data')} is new: the first start makes it`,
    `directory: OpenLDAP, ${base}, bound as cn=admin,${base}, schema present`,
    `${count} users in Default, 12 of them activated`,
    `cn=admin,${base} may write webadmData in Default`,
    `cn=admin,${base} may set passwords in Default`,
    '1 administrator',
  ];

  const add = async (ldif: string): Promise<void> => {
    const bind = ['-x', '-H', slapd.url, '-D', slapd.rootDn, '-w', slapd.rootPassword];
    const file = at('added.ldif');
    writeFileSync(file, ldif);
    await run('ldapadd', [...bind, '-f', file]);
    rmSync(file);
  };

  it('says what is there, and makes nothing', async () => {
    // The administrator and the reader of the test are users, too.
    expect(await check(slapd)).toEqual({ code: 0, printed: [...found('14'), good], errors: [] });
    expect(readdirSync(folder).sort()).toEqual(['ca.pem', 'watchword.yaml']);
  });

  it('says that the service may not write, and what to do', async () => {
    const { readerDn: dn, readerPassword: password } = slapd;
    const { code, printed, errors } = await check(slapd, { bind: { dn, password } });
    expect([code, printed.at(-1)]).toEqual([0, good]);
    expect(errors).toEqual([
      `Warning: domains.Default: ${dn} may not write webadmData of uid=user0,${slapd.people}, so HOTP codes, printed lists, emergency passwords and detached enrolment are refused; give it write access to webadmData below ${slapd.people}, as docs/guide/directories.md says.`,
      `Warning: domains.Default: ${dn} may not set the password of uid=user0,${slapd.people}, so no link to set a lost password is sent; give it the right to set passwords below ${slapd.people}, as docs/guide/directories.md says, or turn webapps.pwreset.enabled off.`,
    ]);
    const more = 'webapps: {pwreset: {enabled: false}}';
    const without = await check(slapd, { bind: { dn, password }, more });
    expect(without.errors).toEqual(errors.slice(0, 1));
  });

  it.each<[string, Setting, string]>([
    [
      'a base that is not there',
      { directoryBase: 'dc=example,dc=net', people: 'ou=people,dc=example,dc=net' },
      `directory.base: there is no dc=example,dc=net, or cn=admin,${base} may not read it; write what is there, as ${base}`,
    ],
    [
      'a password that is refused',
      { bind: { dn: `cn=admin,${base}`, password: 'wrong' } },
      `directory.bind_dn: the directory refuses cn=admin,${base} its login; mend it, or the password in directory.bind_password`,
    ],
    [
      'a domain outside the directory',
      { people: 'ou=people,dc=example,dc=net' },
      `domains.Default.base: ou=people,dc=example,dc=net is outside the directory; write a DN at or below ${base}`,
    ],
    [
      'a domain that is not there',
      { people: `ou=persons,${base}` },
      `domains.Default.base: there is no ou=persons,${base}; write the DN of a container`,
    ],
    [
      'an administrator who is not there',
      { superAdmins: [`uid=nobody,${base}`] },
      `super_admins: there is no uid=nobody,${base}; name a user, or a group with members; nobody can use the Manager`,
    ],
  ])('finds %s', async (_, setting, sentence) => {
    const { code, printed, errors } = await check(slapd, setting);
    expect([code, errors]).toEqual([1, [`Error: ${sentence}.`]]);
    expect(printed).not.toContain(good);
  });

  it('finds groups that are not there, and groups where none are looked for', async () => {
    const { people, groups, adminDn } = slapd;
    const [gone, outside] = [`cn=gone,${groups}`, `ou=policies,${base}`];
    const names = JSON.stringify([gone, outside, groups]);
    const domain = (more: string) =>
      check(slapd, { domain: `base: "${people}", groups_base: "${more}", excluded_groups: ${names}` });
    const outsideOf = (at: string, effect: string) =>
      `Warning: ${at}: ${outside} is outside of ${groups}, where groups are looked for: ${effect}; set groups_base of the domain to an entry above both.`;
    expect((await domain(groups)).errors).toEqual([
      `Warning: domains.Default.excluded_groups: there is no ${gone}, so it has no members; name a group.`,
      outsideOf(
        'domains.Default.excluded_groups',
        'it decides who logs in, and its settings are in force for nobody',
      ),
    ]);
    expect((await domain(base)).errors).toHaveLength(1);
    // By the OID of an attribute that only the directory knows by it.
    const spelled = `1.3.6.1.1.1.1.1=6000,${groups}`;
    await add(`dn: gidNumber=6000,${groups}\nobjectClass: posixGroup\ncn: numbered\ngidNumber: 6000\n`);
    const clients = `clients: {vpn: {excluded_groups: ["${spelled}"]}}`;
    expect((await check(slapd, { more: clients })).errors).toEqual([
      `Warning: clients.vpn.excluded_groups: the directory writes ${spelled} as gidNumber=6000,${groups}, and nobody is found to be its member; write it as the directory does.`,
    ]);
    expect(await domain(`ou=nowhere,${base}`)).toMatchObject({
      code: 1,
      errors: [
        `Error: domains.Default.groups_base: there is no ou=nowhere,${base}, so nobody logs in where groups count; write the DN of a container.`,
      ],
    });
    const more = `clients: {vpn: {allowed_groups: ["${outside}"]}}`;
    const { errors } = await check(slapd, {
      domain: `base: "${people}", groups_base: "${groups}"`,
      superAdmins: [adminDn],
      more,
    });
    expect(errors).toEqual([
      outsideOf('clients.vpn.allowed_groups', 'only users whose entries name it count as its members'),
    ]);
  });

  it('finds a domain without users, and one of two administrators who is not there', async () => {
    const superAdmins = [slapd.adminDn, `uid=nobody,${base}`];
    const { code, errors } = await check(slapd, { people: slapd.groups, superAdmins });
    expect(code).toBe(0);
    expect(errors).toEqual([
      expect.stringMatching(/^Warning: domains\.Default: there are no users below ou=groups,/),
      `Warning: neither ${slapd.groups} nor cn=admin,${base} can keep which data folder is in use, so servers with another one would not be noticed; give one of them the class webadmGroup, and the service write access to its webadmData, as docs/guide/directories.md says.`,
      expect.stringMatching(/^Warning: super_admins: there is no uid=nobody,/),
    ]);
  });

  it('refuses nobody at the web services for want of an administrator', async () => {
    const { code, errors } = await check(slapd, { superAdmins: [`uid=nobody,${base}`] }, 'ws');
    expect([code, errors]).toEqual([
      0,
      [expect.stringMatching(/^Warning: super_admins: there is no uid=nobody,/)],
    ]);
  });

  it('finds a group without anybody in it, and counts those of others', async () => {
    const group = `cn=empty,${slapd.groups}`;
    await add(`dn: ${group}\nobjectClass: groupOfNames\ncn: empty\nmember: \n`);
    const { code, errors } = await check(slapd, { superAdmins: [group] });
    expect([code, errors]).toEqual([
      1,
      [`Error: super_admins: the group ${group} has no members; add one; nobody can use the Manager.`],
    ]);
  });

  it('finds a directory that is down', async () => {
    const down = await start();
    await down.halt();
    const { code, errors } = await check(down);
    expect(code).toBe(1);
    expect(errors).toHaveLength(1);
    expect(errors[0]).toMatch(
      /^Error: directory\.urls: ldaps:\S+ cannot be used \(.+\); start the directory, or/,
    );
  });

  it('tells of a directory without the schema, where everybody is active', async () => {
    const plain = await start({ accountSchema: false });
    const { code, printed, errors } = await check(plain);
    expect({ code, errors }).toEqual({ code: 0, errors: [] });
    expect(printed[1]).toMatch(
      /, no schema, so everybody counts as active, and settings and data are kept in/,
    );
    expect(printed[2]).toBe('2 users in Default');
  });

  it('does not count a large domain to its end', async () => {
    const large = await start({ users: 10_100, sizeLimit: 500 });
    const { printed } = await check(large);
    expect(printed).toContain('more than 10000 users in Default, more than 10000 of them activated');
  });

  it('looks at the certificate of the server', async () => {
    const key = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
    const make = (name: string, days: number) => {
      const made = ['-keyout', at(`${name}.key`), '-out', at(`${name}.pem`), '-days', String(days)];
      return run('openssl', ['req', '-x509', '-subj', '/CN=x', ...key, ...made]);
    };
    await make('long', 100);
    await make('short', 10);
    const ws = (certificate: string, of: string) =>
      check(slapd, { more: `ws: {certificate: ${certificate}.pem, key: ${of}.key}` }, 'ws');
    expect((await ws('long', 'long')).printed.at(-2)).toMatch(/^ws\.certificate is good until \d{4}-/);
    expect((await ws('short', 'short')).errors).toEqual([
      expect.stringMatching(/^Warning: ws\.certificate is good until .+; give another in time\.$/),
    ]);
    const mixed = await ws('long', 'short');
    expect([mixed.code, mixed.errors[0]]).toEqual([
      1,
      expect.stringMatching(/is not the key of ws\.certificate/),
    ]);
  });
});

describe('the start of a server', () => {
  it('warns of the same, and starts even where the directory is down', async () => {
    const slapd = await start({ users: 1 });
    const setting = { people: `ou=persons,${base}` };
    const warned = await startAndStop(configure(slapd, setting));
    expect(warned).toEqual([
      `Warning: domains.Default.base: there is no ou=persons,${base}; write the DN of a container.`,
    ]);
    expect(await startAndStop(configure(slapd), { warnings: 0 })).toEqual([]);
    await slapd.halt();
    expect(await startAndStop(configure(slapd))).toEqual([
      expect.stringMatching(/^Warning: directory\.urls: ldaps:\S+ cannot be used /),
    ]);
  });
});

describe('a data folder that is damaged', () => {
  const base = 'dc=example,dc=com';
  const file = () => at('damaged.yaml');
  const database = () => join(at('damaged'), 'data.mdb');
  beforeAll(async () => {
    writeFileSync(
      file(),
      `data: damaged\nlog: {level: error}\ndirectory: {type: embedded, base: "${base}"}\ndomains: {Default: {base: "${base}"}}\nsuper_admins: ["uid=admin,${base}"]\nmanager: {port: 0}\n`,
    );
    await startAndStop(file(), { warnings: 0 });
    sound = readFileSync(database());
  });
  let sound: Buffer;

  it.each<[string, () => void, string]>([
    ['is empty', () => truncateSync(database(), 0), 'damaged (empty, and was not)'],
    ['is cut off', () => truncateSync(database(), sound.length / 2), 'damaged (it is cut off)'],
    ['begins with flipped bits', () => flip(25), 'damaged (it does not begin as a database does)'],
    ['has flipped bits in its pages', () => flipPages(), 'is not what it should be)'],
  ])('is told by --check and by a start when its database %s', async (_, damage, sentence) => {
    writeFileSync(database(), sound);
    damage();
    const { code, errors } = await tryServer(file());
    expect([code, errors]).toEqual([1, [expect.stringContaining(sentence)]]);
    expect(errors[0]).toMatch(
      /^Error: The database in the data folder \S+ is damaged \(.+\): put a backup in its place, or move it away\.$/,
    );
    await expect(startAndStop(file(), { warnings: 0 })).rejects.toThrow(sentence);
  });

  const flip = (position: number): void => {
    const bytes = Buffer.from(sound);
    for (const page of [0, 4096]) bytes[page + position] = (bytes[page + position] ?? 0) ^ 0xff;
    writeFileSync(database(), bytes);
  };
  /** Flips bits in the numbers at the beginnings of all pages. */
  const flipPages = (): void => {
    const bytes = Buffer.from(sound);
    for (let page = 8192; page < bytes.length; page += 4096) bytes[page] = (bytes[page] ?? 0) ^ 0x10;
    writeFileSync(database(), bytes);
  };
});
