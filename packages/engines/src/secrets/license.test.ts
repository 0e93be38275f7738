/** A licence as the bundled servers find it: in files that the configuration names. */
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openEngines } from '@watchword/engines';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { instanceId } from '../../../core/src/administration/license/instance.ts';
import { Domains } from '../../../core/src/directory/domain.ts';
import { readConfig } from '../../../core/src/index.ts';
import { checkServer } from '../../../core/src/testing/bed/engines/server-check.ts';
import { scratchFolder } from '../../../core/src/testing/bed/scratch.ts';
import { signLicense, usualLicense } from '../../../core/src/testing/bed/signed-license.ts';
import { createLog } from '../../../node/src/machine/index.ts';
import { openLicense } from './license.ts';

const lines = `data: data
directory: {type: embedded, base: "dc=example,dc=org"}
domains: {Default: {base: "dc=example,dc=org"}}
super_admins: ["uid=admin,dc=example,dc=org"]
license: {file: license.json, key: issuer.pem}
`;

let folder: string;
beforeAll(async () => {
  folder = await scratchFolder('licensed');
  writeFileSync(at('watchword.yaml'), lines, { mode: 0o600 });
});
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);

/** What `--check` says under this licence. */
async function check(content: unknown, more: { license?: string; key?: string } = {}) {
  const { license, key } = { ...signLicense(content), ...more };
  writeFileSync(at('license.json'), license);
  writeFileSync(at('issuer.pem'), key);
  return checkServer(at('watchword.yaml'));
}

/** Valid whatever the clock of this machine says. */
const always = { ...usualLicense, valid_from: '2000-01-01 00:00:00', valid_to: '9999-12-31 23:59:59' };
const altered = JSON.stringify({
  ...JSON.parse(signLicense(always).license),
  license: Buffer.from(JSON.stringify({ ...always, customer_id: 'Nobody' })).toString('base64'),
});
const good = { code: 0, printed: ['The configuration is good.'] };

describe('the licence of a bundled server', () => {
  const config = readConfig({
    directory: { type: 'embedded', base: 'dc=example,dc=org' },
    domains: { Default: { base: 'dc=example,dc=org' } },
  });
  const own = instanceId(new Domains(config));

  it('is taken, with its paths relative to the configuration', async () => {
    expect(await check({ ...always, instance_id: own })).toEqual({ ...good, errors: [] });
    const license = { file: at('license.json'), key: at('issuer.pem') };
    const log = createLog({ level: 'error', format: 'json' }, process.stderr);
    const engines = await openEngines(
      { ...config, data: at('data'), keys_file: at('data/keys'), license },
      log,
    );
    expect(engines.license?.content.customer_id).toBe('Example Ltd');
    await engines.close();
    expect(openLicense(config)).toBeUndefined();
  });

  it.each([
    ['expired on 2020-01-01 00:00:00 UTC', { valid_to: '2020-01-01 00:00:00' }],
    ['is not valid before 9990-01-01 00:00:00 UTC', { valid_from: '9990-01-01 00:00:00' }],
  ])('that %s is a warning', async (lapse, times) => {
    expect(await check({ ...always, ...times })).toEqual({
      ...good,
      errors: [`Warning: ${at('license.json')} ${lapse}: logins go on, and no more users can be activated`],
    });
  });

  it.each<[string, unknown, { license?: string; key?: string }, RegExp]>([
    [
      'was changed',
      always,
      { license: altered },
      /^LICENSE was not signed with the key of KEY, or was changed since; ask/,
    ],
    ['is no licence', always, { license: '{}' }, /^LICENSE is not a licence, which has the form \{"license"/],
    [
      'says what nobody knows',
      { ...always, users: 1 },
      {},
      /^LICENSE lacks users, or has one that is not understood; ask/,
    ],
    [
      'ends before it begins',
      { ...always, valid_to: '1999-01-01 00:00:00' },
      {},
      /^LICENSE ends before it begins; ask/,
    ],
    [
      'has a key that is none',
      always,
      { key: 'none' },
      /^KEY is neither a public key nor a certificate in PEM; name/,
    ],
    [
      'is another one\u2019s',
      { ...always, instance_id: '0123456789ABCDEF' },
      {},
      new RegExp(`^LICENSE is for the instance 0123456789ABCDEF, .* ${own}; ask`),
    ],
    ['is empty', always, { license: '' }, /license\.file names LICENSE, which is empty; correct/],
  ])('that %s keeps the server from starting, with one sentence', async (_, content, more, sentence) => {
    const { code, printed, errors } = await check(content, more);
    expect([code, printed, errors.length]).toEqual([1, [], 1]);
    const [said = ''] = errors;
    expect(
      said
        .replace('watchword: ', '')
        .replaceAll(at('license.json'), 'LICENSE')
        .replaceAll(at('issuer.pem'), 'KEY'),
    ).toMatch(sentence);
    expect(said).not.toMatch(/\n/);
  });
});
