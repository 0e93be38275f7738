/**
 * Rules of the house that a program can check (CONTRIBUTING.md#rules-of-the-house): imports point one way, a third-party package has one
 * folder, nothing is read behind the ports' back, the name of a method or a setting is in its row only, files stay small.
 */
import { posix } from 'node:path';
import { describe, expect, it } from 'vitest';
import { bundled } from '../../applications/index.ts';
import { MethodTable } from '../../doors/manager/methods.ts';
import { OperationTable } from '../../doors/web/operations.ts';
import type { AnyApplication } from '../../table/application.ts';
import { Names } from '../../table/dialect.ts';
import { floors } from './floors.ts';
import { closureOf, graphOf, largestCircle, longestChain } from './import-graph.ts';
import { parseSource, readSources, type SourceFile } from './source-file.ts';

const everything = readSources();
const product = everything.filter(({ path }) => !isTest(path));
const core = product.filter(({ module }) => module.startsWith('core/'));

function isTest(path: string): boolean {
  return /\.test(?:-d)?\.tsx?$|\/testing\//.test(path);
}

type Rule = (source: SourceFile) => readonly string[];

/** Every breach in one list, so that a failure names them all. */
const breaches = (sources: readonly SourceFile[], rule: Rule) =>
  sources.flatMap((source) => rule(source).map((what) => `${source.path}: ${what}`));

/** Order of all rooms, the highest first. */
const places: ReadonlyMap<string, number> = new Map(floors.flat().map((room, place) => [room, place]));

const enginePackages = new Set(['embedded', 'ldap', 'postgres', 'pki', 'gateways', 'openid', 'node']);

/** Rule: a module on no floor is imported by nobody and imports nothing. Engines are for the program that puts the parts together. */
const pointsOneWay: Rule = ({ module, imports }) => {
  const place = places.get(module) ?? Number.POSITIVE_INFINITY;
  return imports
    .filter(({ of }) => isOurs(of) && of !== module)
    .filter(
      ({ of }) =>
        (places.get(of) ?? Number.NEGATIVE_INFINITY) <= place ||
        (enginePackages.has(of) && module.startsWith('core/')),
    )
    .map(({ of }) => `imports ${of}`);
};

const isOurs = (room: string): boolean => everything.some(({ module }) => module === room);

/** Rooms that an engine may import. */
const ofEngines = /^core\/(?:ports|foundation\/(?:index|http))$/;

/** An engine can be taken by a program that has nothing else of the house; the LDAP door listens as Node does. */
const takesPortsOnly: Rule = ({ module, imports }) =>
  enginePackages.has(module)
    ? imports
        .filter(({ of }) => isOurs(of) && of !== module && !ofEngines.test(of))
        .filter(({ of }) => !(of === 'node' && module === 'ldap'))
        .map(({ of }) => `imports ${of}`)
    : [];

/** Rows belong to the two tables and to the application that they stand in. */
const leavesRowsAlone: Rule = ({ path, module, imports }) =>
  imports
    .filter(({ file }) => file !== undefined && /\/(?:methods|operations)\.ts$/.test(file))
    .filter(({ of }) => of !== module && !/^core\/doors\/(?:manager|web)$/.test(of))
    .filter(() => !/\/doors\/(?:manager\/methods|web\/operations)\.ts$/.test(path))
    .map(({ file }) => `imports the rows of ${file}`);

/** Folders that all applications are given, and what those with a phone share, are no applications. */
const isApplication = (room: string): boolean =>
  room.startsWith('core/applications/') && !/\/(?:index|context|phone)$/.test(room);

/** Taking an application out is taking out its folder and its line in the list of those that come with it. */
const needsNoApplication: Rule = ({ path, module, imports }) =>
  path === 'packages/core/src/applications/index.ts'
    ? []
    : imports
        .filter(({ of }) => of !== module && isApplication(of))
        .map(({ of }) => `imports the application ${of}`);

const networkFree = /^node:(?:http|https|http2|tls|dgram|dns|child_process|cluster|fs)(?:\/|$)/;
const pureNames = ['BlockList', 'isIP', 'isIPv4', 'isIPv6'];

/** Sockets, files and processes are the engines' business; addresses may be read anywhere. */
const opensNothing: Rule = ({ imports }) =>
  imports
    .filter(({ of, names, isType }) => {
      if (of === 'node:net') return !isType && names.some((name) => !pureNames.includes(name));
      return networkFree.test(of);
    })
    .map(({ of }) => `imports ${of}`);

const hidden = [
  'Date.now',
  'new Date()',
  'Math.random',
  'process.env',
  'performance.now',
  'randomBytes',
  'randomUUID',
];
/** Modules that give inputs, and those that start a program. */
const givesInputs =
  /^packages\/(?:node\/src\/machine\/|core\/src\/foundation\/runtime\/elapsed\.ts|cli\/src\/surroundings\.ts|portal\/|quickstart\/|[^/]+\/src\/main\.ts)/;
/** Engines make keys and names of their own, and two tell processes, or rows, apart by the time: nothing is judged by them. */
const makesNames =
  /^packages\/(?:embedded\/src\/storage\/open-barrier\/(?:open-barrier|process-sockets)|postgres\/src\/(?:records\/ledger|steps\/optimistic-step)|pki\/src\/encryption|openid\/src\/configuration)\.ts$/;

const hasNoHiddenInput: Rule = ({ path, words }) =>
  givesInputs.test(path) || makesNames.test(path)
    ? []
    : hidden.filter((word) => words.has(word)).map((word) => `uses ${word}`);

/** Rule: engines alone measure durations; the core has the port `Clock`. */
const asksTheClock: Rule = ({ path, words }) =>
  path.startsWith('packages/core/') &&
  !/\/foundation\/(?:runtime\/elapsed|index)\.ts$/.test(path) &&
  words.has('elapsed')
    ? ['uses elapsed']
    : [];

/** A value that may be a promise is awaited; only engines and `foundation/runtime` ask whether it is one. */
const awaitsPromises: Rule = ({ path, words }) =>
  path.startsWith('packages/core/') && !/\/foundation\/(?:runtime\/|index\.ts$)/.test(path)
    ? ['MaybePromise', 'instanceof Promise'].filter((word) => words.has(word)).map((word) => `uses ${word}`)
    : [];

/** Rule: `foundation/runtime` keeps what a process has once, its event loop and what V8 knows of it, and makes caches. */
const mayKeep =
  /^packages\/(?:core\/src\/foundation\/runtime\/|portal\/|[^/]+\/src\/(?:.*-program|main)\.ts$)/;

const keepsNothing: Rule = ({ path, kept }) =>
  mayKeep.test(path) ? [] : kept.map((name) => `keeps ${name} between two calls`);

const methods = new MethodTable(bundled, new Names());
const operations = new OperationTable(bundled, new Names());
const rows = operations.services.flatMap((service) => service.operations);
/** `otpChallenge` is an operation and a field of its answer: as a field it may stand elsewhere. */
const fieldNames = rows.flatMap(({ operation }) => Object.keys(operation.response));
const operationNames = rows.map(({ name }) => name).filter((name) => !fieldNames.includes(name));
const wireNames = [...methods.all.map(({ name }) => name), ...operationNames];

/** Programs that call: they name what they call, and the settings that they show. */
const isCaller = (path: string): boolean => /^packages\/(?:portal|quickstart)\//.test(path);

const speaksNoWireName: Rule = ({ path, words }) =>
  /\/(?:methods|operations)\.ts$/.test(path) || isCaller(path)
    ? []
    : wireNames.filter((name) => words.has(name)).map((name) => `names ${name}`);

const settings = Object.values<AnyApplication>(bundled).flatMap((one) => Object.entries(one.settings));
const settingNames = new Set(settings.flatMap(([key, { name }]) => [key, name]));
/** Files that may name settings: rows, examples of the reference, and a datum with the name of a setting. */
const mayNameSettings =
  /\/src\/(?:config\/sections\/[\w-]+|(?:(?:administration|applications|doors)\/)?[\w-]+\/(?:settings|index)|administration\/policy\/login-mode|directory\/methods|applications\/ssh-key\/key-data)\.ts$/;

/** Rule: a setting is read by its row: `read(settings, otpSettings.OTPType)`. */
const namesNoSetting: Rule = ({ path, quoted }) =>
  mayNameSettings.test(path) || path.startsWith('packages/portal/')
    ? []
    : [...quoted]
        .map((word) => word.replace(/^\.+|\.+$/g, ''))
        .filter((word) => settingNames.has(word))
        .map((word) => `names the setting ${word}`);

/** Which entry a call is about is said by its row (`on`) and by the parameter that it names (`entry`). */
const guessesNoEntry: Rule = ({ words }) =>
  words.has('instanceof Dn') ? ['tells an entry by its type'] : [];

/** The typed client takes types from the core and nothing that runs. */
const needsNoCore: Rule = ({ module, imports }) =>
  module === 'client'
    ? imports.filter(({ of, isType }) => of.startsWith('core') && !isType).map(({ of }) => `imports ${of}`)
    : [];

const isWellNamed: Rule = ({ path }) => {
  const name = path.split('/').at(-1) ?? '';
  const isKebab = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.(?:ad|d|test|test-d|config))*\.tsx?$/.test(name);
  return isKebab && !/(?:-|^)(?:helpers?|utils?)\.|-(?:manager|service)\./.test(name)
    ? []
    : ['is named badly'];
};

/**
 * There, a code is a number that a server answers, a word of a QR picture or a name, a hash links what everybody may read, and a
 * secret is typed twice.
 */
const judgesNothing = /^core\/(?:events|ports|foundation\/qr)$|^(?:ldap|pki|cli|engines)$/;

/** Codes, PINs, digests and other secrets are compared in constant time, wherever one could be guessed. */
const comparesInConstantTime: Rule = ({ module, secretComparisons }) =>
  judgesNothing.test(module) ? [] : secretComparisons.map((text) => `compares a secret: ${text}`);

/** Tables may be long, code may not. */
const isTable = /\/(?:methods|operations|errors|settings)\.ts$|\/embedded\/src\/schema\//;
const isShort: Rule = ({ path, lines }) => (lines > 300 && !isTable.test(path) ? [`has ${lines} lines`] : []);

describe('the architecture', () => {
  it('has a place for every room', () => {
    const modules = new Set(product.map(({ module }) => module));
    expect([...modules].toSorted()).toEqual([...places.keys()].toSorted());
  });

  it('sees the files', () => {
    expect(core.length).toBeGreaterThan(60);
    expect(core.flatMap(({ imports }) => imports).length).toBeGreaterThan(200);
  });

  it.each<[string, readonly SourceFile[], Rule]>([
    ['imports point one way', product, pointsOneWay],
    ['an engine takes ports and what they stand on', product, takesPortsOnly],
    ['nobody uses the rows of another domain', core, leavesRowsAlone],
    ['an application can be taken out', product, needsNoApplication],
    ['the core opens no socket, file or process at all', core, opensNothing],
    ['clock, random and environment come in through ports', product, hasNoHiddenInput],
    ['the core measures no time but by its clock', product, asksTheClock],
    ['the core awaits what may be a promise', product, awaitsPromises],
    ['a module keeps no state', product, keepsNothing],
    ['a wire name stands in its row only', product, speaksNoWireName],
    ['a setting is named in its row only', product, namesNoSetting],
    ['a row says which entry it is about', product, guessesNoEntry],
    ['the client needs no core to run', product, needsNoCore],
    ['codes and secrets are compared in constant time', product, comparesInConstantTime],
    ['files are named in kebab-case and for what they are', everything, isWellNamed],
    ['files are short', product, isShort],
  ])('%s', (_, sources, rule) => {
    expect(breaches(sources, rule)).toEqual([]);
  });

  it('a third-party package is imported by one folder', () => {
    const users = new Map<string, Set<string>>();
    for (const { module, imports } of product) {
      for (const { of } of imports.filter(({ of }) => isThirdParty(of))) {
        users.set(of, (users.get(of) ?? new Set()).add(module));
      }
    }
    // zod is the language of two tables: the settings, and the parameters of methods
    // (docs/decisions/0009-tables-of-rows-drive-everything.md).
    const shared = [...users].filter(([name, modules]) => modules.size > (name === 'zod' ? 2 : 1));
    expect(shared.map(([name, modules]) => `${name}: ${[...modules].join(', ')}`)).toEqual([]);
  });

  it('a type that is handed about in the core has a name of its own', () => {
    const exported = core
      // Rows of `applications/context` are those of `table`, with what they touch filled in.
      .filter(({ module }) => !/^core\/applications\/context$/.test(module))
      .flatMap(({ path, types }) => [...types].map((name) => ({ path, name })));
    const twins = exported.filter(({ path, name }) =>
      exported.some((other) => other.name === name && other.path !== path),
    );
    expect(exported.length).toBeGreaterThan(200);
    expect(twins.map(({ path, name }) => `${name}: ${path}`).sort()).toEqual([]);
  });

  it.each(['server-manager', 'server-ws'])('%s is a thin shell', (name) => {
    const shell = product.filter(({ module }) => module === name);
    expect(shell.length).toBeGreaterThan(0);
    expect(shell.reduce((sum, { lines }) => sum + lines, 0)).toBeLessThanOrEqual(300);
  });
});

describe('folders', () => {
  it('have at most 20 files, tests beside them not counted', () => {
    const folders = everything
      .filter(({ path }) => !/\.test(?:-d)?\.tsx?$/.test(path))
      .map(({ path }) => posix.dirname(path));
    const sizes = [...new Set(folders)].map((folder) => ({
      folder,
      size: folders.filter((other) => other === folder).length,
    }));
    const large = sizes.filter(({ size }) => size > 20);
    expect(large).toEqual([]);
  });

  it('leave at the top of the core what is imported from outside, and what puts all together', () => {
    const top = core.flatMap(({ path }) => /^packages\/core\/src\/([^/]+)\.ts$/.exec(path)?.[1] ?? []);
    expect(top.toSorted()).toEqual(['application', 'index', 'service']);
  });
});

/** The longest chain so far: a change that makes it shorter writes the new number here. It ends with TOTP, HOTP, HMAC. */
const longest = 13;

describe('the plan of the core', () => {
  it('has a configuration that loads no application, no door and no engine', () => {
    const running = graphOf(core, ({ isType }) => !isType);
    const loaded = closureOf(running, ['packages/core/src/config/config.ts']);
    const modules = new Set(core.filter(({ path }) => loaded.has(path)).map(({ module }) => module));
    const mayLoad = new Set([
      'config',
      'foundation/errors',
      'foundation/runtime',
      'foundation/text',
      'ports',
      'table',
    ]);
    expect(modules.size).toBeGreaterThan(1);
    expect([...modules].filter((module) => !mayLoad.has(module.slice('core/'.length)))).toEqual([]);
    const known = closureOf(graphOf(core), [...loaded]);
    expect([...known].filter((path) => path.startsWith('packages/core/src/applications/'))).toEqual([]);
  });

  it('has no circle of files in any package, types included', () => {
    expect(largestCircle(graphOf(product))).toEqual([]);
  });

  it('has no longer chain of imports that run', () => {
    const chain = longestChain(graphOf(core, ({ isType }) => !isType));
    expect(chain.length, chain.join('\n')).toBeLessThanOrEqual(longest);
  });
});

function isThirdParty(module: string): boolean {
  return (
    !module.startsWith('node:') &&
    !everything.some((source) => source.module === module) &&
    !/^core\b/.test(module)
  );
}

describe('the rules see a breach', () => {
  const inOtp = (text: string) => parseSource('packages/core/src/applications/otp/login.ts', text);

  it.each<[string, Rule, SourceFile]>([
    ['an engine', pointsOneWay, inOtp("import { openDirectory } from '@watchword/ldap';")],
    ['an engine, as a type', pointsOneWay, inOtp("type Log = import('@watchword/node').Log;")],
    ['an engine, when it runs', pointsOneWay, inOtp("await import('@watchword/ldap');")],
    ['a door', pointsOneWay, inOtp("export { Sessions } from '../../doors/manager/session.ts';")],
    [
      'another engine',
      takesPortsOnly,
      parseSource('packages/postgres/src/a.ts', "import { hash } from '@watchword/embedded';"),
    ],
    [
      'more of the core than ports',
      takesPortsOnly,
      parseSource('packages/postgres/src/a.ts', "import { Dn } from '@watchword/core';"),
    ],
    [
      'rows of another domain',
      leavesRowsAlone,
      inOtp("import { userMethods } from '../../directory/methods.ts';"),
    ],
    [
      'an application',
      needsNoApplication,
      parseSource('packages/core/src/login/a.ts', "import { families } from '../applications/otp/b.ts';"),
    ],
    ['another application', needsNoApplication, inOtp("import { openSite } from '../self-service/b.ts';")],
    [
      'what stands before it on its floor',
      pointsOneWay,
      parseSource('packages/core/src/events/a.ts', "import { Entry } from '../directory/b.ts';"),
    ],
    ['a socket', opensNothing, inOtp("import { connect, isIP } from 'node:net';")],
    ['a server', opensNothing, inOtp("import { createServer } from 'node:http';")],
    ['the time', hasNoHiddenInput, inOtp('const now = new Date();')],
    ['the environment', hasNoHiddenInput, inOtp('const home = process.env.HOME;')],
    ['chance', hasNoHiddenInput, inOtp('const half = Math.random() < 0.5;')],
    ['how long it took', asksTheClock, inOtp('const from = elapsed();')],
    ['whether it is a promise', awaitsPromises, inOtp('if (found instanceof Promise) return;')],
    ['a count of all calls', keepsNothing, inOtp('let waiting = 0;')],
    ['a cache of all calls', keepsNothing, inOtp('const known = new Map<string, string>();')],
    ['a wire name', speaksNoWireName, inOtp("const message = 'see Get_User_DN';")],
    ['an operation', speaksNoWireName, inOtp("const name = 'otpStatus';")],
    ['a setting', namesNoSetting, inOtp("const type = settings.get('Otp.OTPType');")],
    ['a setting in a sentence', namesNoSetting, inOtp(`const cure = \`set \${word}.OTPPrefix\`;`)],
    [
      'an entry told by its type',
      guessesNoEntry,
      inOtp('const [dn] = values.filter((one) => one instanceof Dn);'),
    ],
    [
      'the core in the client',
      needsNoCore,
      parseSource('packages/client/src/a.ts', "import { Dn } from '@watchword/core';"),
    ],
    ['a code', comparesInConstantTime, inOtp('if (otpPassword === expectedCode) grant();')],
    ['a code that is not another', comparesInConstantTime, inOtp('const no = given !== hotp(source, 5);')],
    ['a code among codes', comparesInConstantTime, inOtp('const is = list.codes.includes(code.trim());')],
    ['a PIN', comparesInConstantTime, inOtp('const is = begun.pincode == given;')],
    ['a PIN in front', comparesInConstantTime, inOtp('const is = text.startsWith(account.pin);')],
    ['a digest', comparesInConstantTime, inOtp('const is = hashOf(id, given) === kept;')],
    [
      'a digest of the moment',
      comparesInConstantTime,
      inOtp("const is = createHash('sha256').update(given).digest('hex') === key.sha256;"),
    ],
    ['bytes', comparesInConstantTime, inOtp('const is = Buffer.from(now.secret).equals(given);')],
    ['bytes in order', comparesInConstantTime, inOtp('const is = Buffer.compare(given, of.secret) === 0;')],
    [
      'a password at a door',
      comparesInConstantTime,
      parseSource('packages/server-ws/src/handler.ts', 'const is = password === (await wanted.password);'),
    ],
    ['a bad name', isWellNamed, parseSource('packages/core/src/applications/otp/stringUtils.ts', '')],
    ['a long file', isShort, inOtp('\n'.repeat(301))],
  ])('%s', (_, rule, source) => {
    expect(rule(source)).toHaveLength(1);
  });

  it('a circle, and a chain', () => {
    const file = (name: string, text: string) =>
      parseSource(`packages/core/src/applications/otp/${name}.ts`, text);
    const [a, b] = [file('a', "import { b } from './b.ts';"), file('b', "import { c } from './c.ts';")];
    const back = file('c', "import type { a } from './a.ts';");
    const running = graphOf([a, b, back], ({ isType }) => !isType);
    expect(largestCircle(graphOf([a, b, back]))).toHaveLength(3);
    expect(largestCircle(running)).toHaveLength(0);
    expect(longestChain(running)).toHaveLength(3);
  });

  it('and none where there is none', () => {
    const fine = inOtp(`
      import { isIP } from 'node:net';
      import { ServiceError } from '../../foundation/errors/errors.ts';
      // Get_User_DN and Date.now are but comments
      export const when = new Date(0);
      const type = read(settings, otpSettings.OTPType);
      const isThere = code !== undefined && password !== '' && typeof otp === 'string' && codes.length === 6;
      const isRight = timingSafeEqual(digest, expected.digest) && kind === 'code';
      if (fault !== wrongPassword) why = fault;
    `);
    const rules = [
      pointsOneWay,
      leavesRowsAlone,
      opensNothing,
      hasNoHiddenInput,
      speaksNoWireName,
      namesNoSetting,
      guessesNoEntry,
      comparesInConstantTime,
      isWellNamed,
    ];
    expect(rules.flatMap((rule) => rule(fine))).toEqual([]);
  });
});
