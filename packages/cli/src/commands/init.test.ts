/** The first administrator of an empty folder, and everybody who is not to be made one. */
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngines } from '@watchword/engines';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { serviceSettings } from '../../../core/src/config/config.ts';
import { Dn } from '../../../core/src/foundation/text/dn.ts';
import { createService } from '../../../core/src/index.ts';
import { runCommandLine } from '../../../core/src/testing/bed/engines/command-line.ts';
import { createLog } from '../../../node/src/machine/index.ts';
import { readConfiguration } from '../index.ts';

const base = 'dc=example,dc=com';
const password = 'correct horse battery staple';
const group = `cn=administrators,ou=groups,${base}`;

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'watchword-init-'));
  file = join(folder, 'watchword.yaml');
});
afterEach(() => rm(folder, { recursive: true }));

async function write(name: string, text: string): Promise<string> {
  await writeFile(join(folder, name), text, { mode: 0o600 });
  return join(folder, name);
}

const configure = (superAdmins: readonly string[], more = '') =>
  write(
    'watchword.yaml',
    `data: data\ndirectory: {type: embedded, base: "${base}"}\ndomains: {Default: {base: "${base}"}}
super_admins: ${JSON.stringify(superAdmins)}\nlimits: {login_failure_delay_ms: 0}\n${more}`,
  );

async function init(...more: readonly string[]) {
  const secret = await write('password', `${password}\n`);
  return runCommandLine(['init', '--config', file, '--password-file', secret, ...more]);
}

/** Works on the data folder as a server does. */
async function withEngines<T>(work: (engines: Awaited<ReturnType<typeof openEngines>>) => Promise<T>) {
  const { config } = readConfiguration(file, {});
  const engines = await openEngines(config, createLog(config.log, { write: () => {} }));
  try {
    return await work(engines);
  } finally {
    await engines.close();
  }
}

/** The version that the Manager tells an administrator; else the reason of the refusal. */
async function loggedIn(username: string, secret = password): Promise<string> {
  const { config } = readConfiguration(file, {});
  return withEngines(async (engines) => {
    const service = createService(serviceSettings(config), engines);
    try {
      const { close } = await service.manager.login({ username, password: secret });
      await close();
      return 'in';
    } catch (error) {
      return error instanceof Error && 'reason' in error ? String(error.reason) : 'error';
    }
  });
}

const add = (dn: string, attributes: Record<string, string[]>) =>
  withEngines(({ directory }) => directory.service.add(Dn.parse(dn), new Map(Object.entries(attributes))));

it('of two inits at once one makes the administrator, and the other says who it is', async () => {
  await configure([group]);
  const meanwhile = async () => {
    expect(await init('--name', 'anna')).toMatchObject({ code: 0 });
    return password;
  };
  const result = await runCommandLine(['init', '-c', file, '--name', 'berta'], {
    typed: [meanwhile, password],
  });
  expect(result.code).toBe(1);
  expect(result.errors).toContain(`uid=anna,ou=people,${base} is an administrator already`);
  const members = await withEngines(async ({ directory: { service } }) => {
    const entry = await service.read(Dn.parse(group), ['member']);
    return [entry?.attributes.get('member'), await service.read(Dn.parse(`uid=berta,ou=people,${base}`))];
  });
  expect(members).toEqual([[`uid=anna,ou=people,${base}`], undefined]);
});

describe('init in an empty folder', () => {
  it('makes a configuration, an administrator who can log in, and a line in the audit', async () => {
    const result = await init('--base', base);
    expect(result).toMatchObject({ code: 0, errors: '' });
    expect(result.printed).toContain(`uid=admin,ou=people,${base} is the administrator`);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(await readFile(file, 'utf8')).toContain('# Made by watchword-manager init.');
    expect(await loggedIn('admin')).toBe('in');
    expect(await loggedIn('admin', 'wrong')).toBe('credentials_refused');
    const events = await withEngines(({ events }) => events.list({ application: 'Manager', max: 9 }));
    expect(events.at(-1)).toMatchObject({
      dn: `uid=admin,ou=people,${base}`,
      text: 'root at watchword-manager: init: the first administrator: done',
    });
  });

  it('asks for everything at a terminal, until the answers are good', async () => {
    const typed = [base, 'anna', 'short', password, 'something else', password, password];
    const result = await runCommandLine(['init', '-c', file], { typed });
    expect(result.errors).toContain('It has fewer than 15 characters.');
    expect(result.errors).toContain('The two are not the same.');
    expect([result.code, await loggedIn('anna')]).toEqual([0, 'in']);
  });

  it('keeps the data where it is told to', async () => {
    const data = join(folder, 'elsewhere');
    expect((await init('--base', base, '--data', data)).code).toBe(0);
    expect((await stat(join(data, 'data.mdb'))).size).toBeGreaterThan(0);
    expect(await loggedIn('admin')).toBe('in');
  });

  it.each([
    [[], 'say its base: --base dc=example,dc=com'],
    [['--base', 'cn=what,dc=x'], '"cn=what,dc=x" is not a valid base'],
    [['--base', ''], 'is not a valid base'],
    [['--base', 'c=Germany'], '"c=Germany" is not a valid base'],
    [['--base', 'dc=münchen'], 'is not a valid base'],
    [['--base', 'o='], 'is not a valid base'],
    [['--base', 'o=a+ou=b'], 'is not a valid base'],
    [['--base', base, '--password', 'x'], "init: Unknown option '--password'"],
    [['--base', base, 'secret'], 'init takes no "secret"'],
  ])('makes nothing with %j', async (more, sentence) => {
    const result = await init(...more);
    expect([result.code, result.errors]).toEqual([1, expect.stringContaining(sentence)]);
    await expect(stat(file)).rejects.toThrow('ENOENT');
  });
});

it('init does not write through a link to nothing, nor say that it did', async () => {
  await symlink(join(folder, 'elsewhere.yaml'), file);
  const result = await init('--base', base);
  expect(result).toMatchObject({
    code: 1,
    printed: '',
    errors: expect.stringContaining('is a link to nothing'),
  });
  expect((await readdir(folder)).sort()).toEqual(['password', 'watchword.yaml']);
});

describe('init goes by super_admins', () => {
  it('makes the one user whom it names, with everything above', async () => {
    const dn = `uid=root,ou=it,ou=staff,${base}`;
    await configure([dn]);
    expect((await init()).errors).toBe('');
    expect(await loggedIn('root')).toBe('in');
  });

  it('makes a member of the group that it names, there or not', async () => {
    await configure([group]);
    await add(`ou=groups,${base}`, { objectclass: ['organizationalUnit'] });
    await add(group, { objectclass: ['groupOfNames'], member: [`uid=gone,${base}`] });
    expect((await init('--name', 'anna')).code).toBe(0);
    expect(await loggedIn('anna')).toBe('in');
  });

  it('wants to know who, of several', async () => {
    await configure([`uid=a,${base}`, `uid=b,${base}`]);
    expect((await init()).errors).toContain('choose one with --dn');
    expect((await init('--name', 'b')).code).toBe(0);
    expect([await loggedIn('a'), await loggedIn('b')]).toEqual(['credentials_refused', 'in']);
  });

  it.each([
    [[], [], 'super_admins is empty; write'],
    [[`uid=a,${base}`], ['--dn', `uid=b,${base}`], `super_admins names uid=a,${base}, not uid=b,${base}`],
    [[`uid=a,${base}`], ['--dn', 'nonsense'], '"nonsense" is no DN'],
    [['uid=a,dc=other'], [], 'uid=a,dc=other does not stand below the base'],
    [[`uid=a,uid=b,${base}`], [], `uid=b,${base} is not there, and what kind of entry it is`],
    [[`uid=a,${base}`], ['--base', 'dc=other'], '--base is for a new configuration'],
    [[`uid=a,${base}`], ['--base', 'nonsense'], '--base is for a new configuration'],
    [[`uid=a,${base}`], ['--data', 'elsewhere'], '--data is for a new configuration'],
  ])('refuses %j with %j', async (superAdmins, more, sentence) => {
    await configure(superAdmins);
    expect(await init(...more)).toMatchObject({ code: 1, errors: expect.stringContaining(sentence) });
  });

  it('makes nobody whose login name is taken, or who is in no domain', async () => {
    await configure([`uid=a,ou=x,${base}`]);
    await add(`cn=other,${base}`, { objectclass: ['inetOrgPerson'], cn: ['other'], sn: ['x'], uid: ['a'] });
    expect((await init()).errors).toContain(`The login name a is that of cn=other,${base}`);
    await configure([`uid=c,ou=x,${base}`], '').then(async (path) =>
      writeFile(path, (await readFile(path, 'utf8')).replace(`Default: {base: "`, `Default: {base: "ou=y,`)),
    );
    expect((await init()).errors).toContain('stands in no domain');
  });

  it('names the domain in the login where it is not the usual one', async () => {
    await configure([`uid=a,ou=y,${base}`]);
    const text = await readFile(file, 'utf8');
    await writeFile(
      file,
      text.replace(/domains:.*/, `domains: {Default: {base: "ou=x,${base}"}, Y: {base: "ou=y,${base}"}}`),
    );
    expect((await init()).printed).toContain('logs in to the Manager as Y\\a.');
    expect(await loggedIn('Y\\a')).toBe('in');
  });
});

describe('init refuses', () => {
  it('where there is an administrator, and names the command for a lost password', async () => {
    await init('--base', base);
    const result = await init();
    expect(result.code).toBe(1);
    expect(result.errors).toContain(`type: watchword-manager reset-admin --config ${file}`);
  });

  it('on an LDAP server', async () => {
    await write('bind', 'secret');
    await write(
      'watchword.yaml',
      `directory: {type: ldap, urls: ["ldaps://ldap.example.com"], bind_dn: "cn=x,${base}", bind_password_file: bind, base: "${base}"}
domains: {Default: {base: "${base}"}}\nsuper_admins: ["uid=a,${base}"]\n`,
    );
    expect((await init()).errors).toContain(
      'names an LDAP server. Name an entry of that directory in super_admins',
    );
  });

  it.each([
    ['', 'is empty'],
    ['fourteen chars', 'has fewer than 15 characters'],
    ['abababababababababab', 'has fewer than 6 different characters'],
    ['administrator1administrator', 'is little more than the name of its owner'],
    ['correct horse\tbattery', 'has a control character'],
  ])('the password %j', async (weak, sentence) => {
    await configure([`uid=administrator,${base}`]);
    const secret = await write('weak', `${weak}\n`);
    const result = await runCommandLine(['init', '-c', file, '--password-file', secret]);
    expect([result.code, result.errors]).toEqual([
      1,
      expect.stringContaining(`The password on the first line of ${secret} ${sentence}`),
    ]);
    expect((await init()).code).toBe(0); // so nobody was made
  });

  it('without a terminal and without a file', async () => {
    await configure([`uid=a,${base}`]);
    const result = await runCommandLine(['init', '-c', file]);
    expect(result.errors).toContain('There is no terminal to ask for a password; name a file');
  });

  it('a folder of a later version', async () => {
    await configure([`uid=a,${base}`]);
    const { openEnvironment } = await import('../../../embedded/src/index.ts');
    await withEngines(async () => {});
    const environment = await openEnvironment(join(folder, 'data'));
    await environment.write(() => environment.table<string, string>('settings', {}).put('index', '99'));
    await environment.close();
    expect((await init()).errors).toContain('was written by a later version of Watchword');
  });
});

it.each([
  ['a byte order mark', `\uFEFF${password}\n`],
  ['line ends of Windows', `${password}\r\n`],
])('init reads a password file with %s, and says where the password came from', async (_, content) => {
  await configure([`uid=administrator,${base}`]);
  const secret = await write('marked', content);
  const result = await runCommandLine(['init', '-c', file, '--password-file', secret]);
  expect([result.code, result.printed]).toEqual([
    0,
    expect.stringContaining(`Its password is the first line of ${secret}.`),
  ]);
  expect(await loggedIn('administrator')).toBe('in');
});

it('init warns of a password file that others can read', async () => {
  await configure([`uid=a,${base}`]);
  const secret = await write('open', password);
  await chmod(secret, 0o644);
  const result = await runCommandLine(['init', '-c', file, '--password-file', secret]);
  expect([result.code, result.errors]).toEqual([
    0,
    expect.stringContaining('can be read by others; remove it now'),
  ]);
});

it('init is repeated with the words of the first try', async () => {
  const words = ['--base', base, '--data', join(folder, 'elsewhere')];
  const typed = ['anna', 'short']; // and then the terminal is gone
  const cut = await runCommandLine(['init', '-c', file, ...words], { typed });
  expect([cut.code, (await stat(file)).isFile()]).toEqual([1, true]);
  const result = await init('--base', base.toUpperCase(), '--data', `${join(folder, 'elsewhere')}/`);
  expect([result.code, result.errors]).toEqual([0, '']);
  expect(await loggedIn('admin')).toBe('in');
});

it('init makes nothing where nobody can be asked for a password', async () => {
  const result = await runCommandLine(['init', '-c', file, '--base', base]);
  expect(result.errors).toContain('name a file: --password-file FILE');
  await expect(stat(file)).rejects.toThrow('ENOENT');
});

/** After each of its writes the process may be gone; what is left is the same as if it had not begun. */
it('init goes on where it was cut short', async () => {
  await configure([group]);
  await add(`ou=people,${base}`, { objectclass: ['organizationalUnit'] });
  await add(`uid=admin,ou=people,${base}`, {
    ...{ objectclass: ['inetOrgPerson'], uid: ['admin'], cn: ['admin'], sn: ['admin'] },
    userpassword: ['of the first try'],
  });
  expect((await init()).errors).toBe('');
  expect([await loggedIn('admin'), await loggedIn('admin', 'of the first try')]).toEqual([
    'in',
    'credentials_refused',
  ]);
});
