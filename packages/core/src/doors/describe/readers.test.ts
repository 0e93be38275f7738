/**
 * Reads the source for what is accepted and then ignored: every setting, field and configuration key has a reader in the source, or its
 * row says that it is kept, and then it has none.
 */
import { describe, expect, it } from 'vitest';
import { badgingSettings } from '../../administration/badging/settings.ts';
import { modeSettings } from '../../administration/policy/login-mode.ts';
import { otpSelfSettings, sshkeySelfSettings } from '../../administration/policy/self/settings.ts';
import { lockoutSettings } from '../../administration/policy/settings.ts';
import { bundled } from '../../applications/index.ts';
import { phoneSettings } from '../../applications/phone/settings.ts';
import { codeSettings } from '../../authenticators/settings.ts';
import { isMap, type SchemaNode } from '../../config/schema-node.ts';
import { posixSettings } from '../../directory/posix-settings.ts';
import { configJsonSchema } from '../../index.ts';
import { loginSettings } from '../../login/settings.ts';
import type { AnyApplication } from '../../table/application.ts';
import { textVariables } from '../../table/message-texts.ts';
import type { AnyMethod } from '../../table/method.ts';
import { flagSetting, settingsOf, unsupported } from '../../table/setting-row.ts';
import { parseSource, readSources } from '../../testing/architecture/source-file.ts';
import { coreMethods } from '../manager/methods.ts';

/** Applications, with their particular types forgotten. */
const known: readonly AnyApplication[] = Object.values(bundled);
const program = readSources(
  (path) => !path.endsWith('.test.ts') && !path.endsWith('.test-d.ts') && !path.includes('/testing/'),
);
/** Tables of settings that an application shares with lower rooms. */
const shared = {
  ...{ loginSettings, modeSettings, codeSettings, phoneSettings, badgingSettings },
  ...{ otpSelfSettings, sshkeySelfSettings, posixSettings, lockoutSettings },
};
const readIn = (files: typeof program) => new Set(files.flatMap(({ reads }) => [...reads]));

/** Those whose row and whose readers do not say the same. */
const amiss = (rows: readonly { name: string; kept: boolean; hasReader: boolean }[]): string[] =>
  rows.flatMap(({ name, kept, hasReader }) => {
    if (kept && hasReader) return [`${name} is marked kept, and has a reader`];
    return kept || hasReader ? [] : [`${name} has no reader, and is not marked kept`];
  });

/** A setting is read by its row, `read(settings, otpSettings.OTPType)`; its name alone reads nothing. */
function settingRows({ service, settings }: Pick<AnyApplication, 'service' | 'settings'>, sources = program) {
  const reading = sources.filter(({ path }) => !path.endsWith('/settings.ts'));
  const tables = Object.entries<AnyApplication['settings']>({ ...shared, [`${service}Settings`]: settings });
  return Object.entries(settings).map(([key, row]) => {
    const words = tables
      .filter(([, rows]) => rows[key]?.name === row.name)
      .map(([table]) => `${table}.${key}`);
    const hasReader = reading.some(({ words: said }) => words.some((word) => said.has(word)));
    return { name: row.name, kept: row.unsupported !== undefined, hasReader };
  });
}

it('a setting of an application', () => {
  const rows = known.flatMap((application) => settingRows(application));
  expect(rows.length).toBeGreaterThan(40);
  expect(amiss(rows)).toEqual([]);
});

it('a setting that nothing reads by its row is found, and one that is read though it is marked kept', () => {
  const Flag = flagSetting('A flag.', 'No');
  const settings = settingsOf('Own', {
    Read: Flag,
    Named: Flag,
    Idle: unsupported(Flag, 'it is idle'),
    Busy: unsupported(Flag, 'it is not'),
  });
  const source = "read(values, ownSettings.Read); values.get('Own.Named'); read(values, ownSettings.Busy);";
  expect(amiss(settingRows({ service: 'own', settings }, [parseSource('own/x.ts', source)]))).toEqual([
    'Own.Named has no reader, and is not marked kept',
    'Own.Busy is marked kept, and has a reader',
  ]);
});

it('a key of the configuration', () => {
  const reads = readIn(program.filter(({ path }) => !path.includes('/config/sections/')));
  const rows = [...leaves(configJsonSchema())]
    .filter(([path]) => !path.startsWith('names.') && !path.startsWith('texts.'))
    .map(([path, node]) => ({
      name: path,
      kept: node.kept === true,
      hasReader: reads.has(path.split('.').at(-1) ?? ''),
    }));
  expect(rows.length).toBeGreaterThan(80);
  expect(amiss(rows)).toEqual([]);
});

it('a text that people are told', () => {
  const files = program.filter(({ path }) => !/\/texts\/|message-texts/.test(path));
  const words = new Set(files.flatMap(({ quoted }) => [...quoted]));
  const rows = Object.keys(textVariables).map((name) => ({ name, kept: false, hasReader: words.has(name) }));
  expect(rows.length).toBeGreaterThan(2);
  expect(amiss(rows)).toEqual([]);
});

it('a word of ours that an installation may have another one for', () => {
  const names = configJsonSchema().properties?.names;
  const words = isNode(names) ? Object.entries(names.properties ?? {}) : [];
  const ours = known.flatMap(({ name, service, operations, webApplication }) =>
    Object.keys(operations).length > 0 || webApplication ? [name, service] : [name],
  );
  const rows = words.map(([name, node]) => ({
    name: `names.${name}`,
    kept: isNode(node) && node.kept === true,
    hasReader: ours.includes(name),
  }));
  expect(rows).toHaveLength(20);
  expect(amiss(rows)).toEqual([]);
});

/** The folder of the application that answers under this name. */
const folderOf = (service: string): string => {
  const index = program.find(
    ({ path, quoted }) => /\/applications\/[^/]+\/index\.ts$/.test(path) && quoted.has(service),
  );
  if (!index) throw new Error(`${service} has no folder`);
  return index.path.replace(/index\.ts$/, '');
};

describe('a field of a request', () => {
  const services = known.filter(({ operations }) => Object.keys(operations).length > 0);
  it.each(services.map(({ service }) => service))('of %s', (service) => {
    const reads = readIn(
      program.filter(({ path }) =>
        [folderOf(service), '/login/', '/phone/', '/web/repetitions.ts'].some((part) => path.includes(part)),
      ),
    );
    const own = services.find((application) => application.service === service);
    const rows = Object.entries(own?.operations ?? {}).flatMap(([operation, { request }]) =>
      Object.entries(request).map(([name, { ignored }]) => ({
        name: `${operation}.${name}`,
        kept: ignored === true,
        hasReader: reads.has(name),
      })),
    );
    expect(rows.length).toBeGreaterThan(5);
    expect(amiss(rows)).toEqual([]);
  });
});

/** `(values, call) => …` and `({ a, ...others }, call) => …` pass on all of them; `(_, call) => …` and `() => …` none. */
const passesOn = /^(?:async )?\((?:\{[^}]*\.\.\.|(?!\{|_|\)))/;

it('a parameter of a method', () => {
  const methods = [coreMethods, ...known.map(({ methods }) => methods)].flatMap((table) =>
    Object.entries<AnyMethod>(table),
  );
  const rows = methods.flatMap(([method, { params, run }]) => {
    const { reads, words } = parseSource('run.ts', `const row = { run: ${run} };`);
    return Object.entries(params).map(([name, { ignored }]) => ({
      name: `${method}.${name}`,
      kept: ignored === true,
      hasReader: passesOn.test(String(run)) || reads.has(name) || words.has(name),
    }));
  });
  expect(rows.length).toBeGreaterThan(150);
  expect(amiss(rows)).toEqual([]);
});

it('one that nobody reads is found', () => {
  const { reads } = parseSource(
    'x.ts',
    '// config.unread\nconst { a, b: c, ...d } = config; config.e; const f = { unread: 1 }; config["g"];',
  );
  expect([...reads].sort()).toEqual(['a', 'b', 'e', 'g']);
  expect(amiss([{ name: 'unread', kept: false, hasReader: reads.has('unread') }])).toEqual([
    'unread has no reader, and is not marked kept',
  ]);
});

const isNode = (node: unknown): node is SchemaNode => isMap(node);

/** Every key that a configuration may have, at any depth, with its schema; names that operators choose left out. */
function* leaves(node: SchemaNode, path = ''): Generator<[string, SchemaNode]> {
  for (const [key, child] of Object.entries(node.properties ?? {})) {
    if (!isNode(child)) continue;
    yield [path + key, child];
    yield* leaves(child, `${path}${key}.`);
  }
  const within = [node.items, node.additionalProperties, ...(node.oneOf ?? [])];
  for (const child of within) if (isNode(child)) yield* leaves(child, path);
}
