/** Docstrings of the entry points that programs call: whole, with examples that compile and run. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { missingTags, type Published, readPublished } from './docstrings.ts';
import { type ExampleModules, openExamples } from './example-modules.ts';

/** The entry points, by specifier: what programs call, and the ports that they implement. */
const entryPoints = Object.entries({
  '@watchword/cli': ['readConfiguration', 'startServers', 'runServer'],
  '@watchword/client': ['createManager', 'createDryRunManager', 'createWebServices', 'safe', 'CallError'],
  '@watchword/client/node': ['nodeTransport'],
  '@watchword/core': [
    ...['createService', 'readConfig', 'readServiceConfig', 'serviceSettings', 'configJsonSchema'],
    ...['vocabularyOf', 'ServiceError', 'ConfigError', 'DeliveryError', 'isReason', 'License.verify'],
    ...['mountDirectories', 'Dn.parse', 'Dn.tryParse', 'parseFilter', 'formatFilter', 'qrText', 'KeyRing'],
    ...['and', 'or', 'not', 'equal', 'present'],
    ...['Ports', 'Directory', 'DirectoryServer', 'Store', 'Ledger', 'EventLog', 'EntryRecords'],
    ...['CertificateRecords', 'CertificateAuthority', 'Sender', 'Clock', 'Random', 'Log', 'Meter', 'Tracer'],
    ...['HostResolver', 'StartError', 'plainText'],
  ],
  '@watchword/core/application': [
    ...['application', 'method', 'operation', 'settingsOf', 'flagSetting', 'integerSetting', 'textSetting'],
    ...['enumSetting', 'timestampSetting', 'preset', 'ordered', 'read', 'readProfile', 'readNamedProfile'],
    ...['swapData', 'recordEvent', 'refusalsOf'],
  ],
  '@watchword/core/describe': ['reference'],
  '@watchword/core/otp': [
    ...['hotp', 'matchHotp', 'totp', 'matchTotp', 'fromBase32', 'toBase32', 'formatUri'],
  ],
  '@watchword/core/testing': [
    ...['directoryContract', 'storeContract', 'eventLogContract', 'entryRecordsContract'],
    ...['certificateRecordsContract', 'TestClock', 'KeptLog'],
  ],
  '@watchword/embedded': [
    ...['openEnvironment', 'openEphemeral', 'openDirectory', 'openStore', 'openLedger', 'openEventLog'],
    ...['openEntryRecords', 'openCertificateRecords'],
  ],
  '@watchword/engines': ['openEmbedded', 'openLdap', 'openEngines'],
  '@watchword/gateways/http': ['openSmsGateway', 'openPushGateway'],
  '@watchword/gateways/smpp': ['openSmpp'],
  '@watchword/gateways/smtp': ['openSmtp'],
  '@watchword/gateways/web-push': ['openWebPush'],
  '@watchword/ldap': ['openLdapDirectory', 'serveLdap'],
  '@watchword/node': ['systemClock', 'systemRandom', 'createLog', 'readKeyRing'],
  '@watchword/node/http': ['listener', 'serve', 'behindProxies', 'secureOptions', 'webHandler'],
  '@watchword/node/prometheus': ['openPrometheus'],
  '@watchword/pki': ['createAuthority', 'issueServerCertificate', 'openAuthority', 'encryptFor'],
  '@watchword/server-manager': ['createManagerHandler', 'managerServer'],
  '@watchword/server-ws': ['createWebServiceHandler', 'webServiceServer'],
}).flatMap(([specifier, names]) => names.map((name) => `${specifier} ${name}`));

const server = 'needs a running server';
const suite = 'declares a suite of vitest';

/** Entry points whose examples are only compiled, and the reasons. */
const onlyCompiled: Readonly<Record<string, string>> = {
  '@watchword/client createManager': server,
  '@watchword/client createDryRunManager': server,
  '@watchword/client createWebServices': server,
  '@watchword/client safe': server,
  '@watchword/client/node nodeTransport': server,
  '@watchword/core/testing certificateRecordsContract': suite,
  '@watchword/core/testing directoryContract': suite,
  '@watchword/core/testing entryRecordsContract': suite,
  '@watchword/core/testing eventLogContract': suite,
  '@watchword/core/testing storeContract': suite,
};

const published = readPublished();
/** Exports with examples; those of an export that several specifiers have once, by the last one. */
const documented = [
  ...new Map(
    [...published.values()]
      .filter(({ examples }) => examples.length > 0)
      .map((one) => [one.examples.join(), one]),
  ).values(),
];

/** Returns the name of the module of an example, of letters, digits and hyphens. */
const moduleOf = (name: string, index: number): string =>
  `${name.replace('@watchword/', '').replaceAll(/[^\w-]+/g, '-')}${index === 0 ? '' : `-${index + 1}`}`;

const modulesOf = ({ name, examples }: Published): readonly [string, string][] =>
  examples.map((text, index) => [moduleOf(name, index), text]);

describe('the docstring of an entry point', () => {
  it.each(entryPoints)('is whole: %s', (name) => {
    const one = published.get(name);
    if (!one) throw new Error(`${name} is not published`);
    expect(missingTags(one)).toEqual([]);
  });

  it('is missed when a tag is missing', () => {
    const bare: Published = {
      ...{ name: 'a function', parameters: 2, hasValue: true },
      ...{ described: 1, describesValue: false, examples: [] },
    };
    expect(missingTags(bare)).toEqual(['@example', '@param', '@returns']);
    expect(missingTags({ ...bare, described: 2, describesValue: true, examples: ['run();'] })).toEqual([]);
  });
});

describe('the examples of published docstrings', () => {
  let modules: ExampleModules;
  beforeAll(async () => {
    modules = await openExamples(new Map(documented.flatMap(modulesOf)));
  });
  afterAll(() => modules?.close());

  it('name only entry points that exist as those that are not run', () => {
    expect(Object.keys(onlyCompiled).filter((name) => !published.has(name))).toEqual([]);
  });

  it('compile', { timeout: 120_000 }, async () => {
    expect(Object.fromEntries(await modules.compile())).toEqual({});
  });

  it('run, and print what they say', { timeout: 120_000 }, async () => {
    const alone = documented.filter(({ name }) => onlyCompiled[name] === undefined);
    const names = alone.flatMap(modulesOf).map(([name]) => name);
    expect(names.length).toBeGreaterThan(60);
    expect(Object.fromEntries(await modules.run(names))).toEqual({});
  });
});

describe('a wrong example', () => {
  const wrong = new Map([
    ['wrong-type', "import { Dn } from '@watchword/core/dn';\nconsole.log(Dn.parse(1));\n"],
    ['wrong-output', "import { Dn } from '@watchword/core/dn';\nconsole.log(Dn.parse('o=a').key); // o=b\n"],
    ['wrong-call', "import { Dn } from '@watchword/core/dn';\nDn.parse('no DN');\n"],
  ]);
  let modules: ExampleModules;
  beforeAll(async () => {
    modules = await openExamples(wrong);
  });
  afterAll(() => modules?.close());

  it('is reported when a type does not fit', { timeout: 120_000 }, async () => {
    const errors = await modules.compile();
    expect([...errors.keys()]).toEqual(['wrong-type']);
    expect(errors.get('wrong-type')).toMatch(/^line 2: error TS2345/);
  });

  it('is reported when it prints something else, or throws', async () => {
    const errors = await modules.run(['wrong-output', 'wrong-call']);
    expect(errors.get('wrong-output')).toBe('says o=b, and prints o=a');
    expect(errors.get('wrong-call')).toContain('ServiceError');
  });
});
