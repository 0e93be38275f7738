/** `--check` finds more than single settings: roles, and the authority that the configuration names. */
import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { checkServer } from '../../core/src/testing/bed/engines/server-check.ts';
import { run, scratchFolder } from '../../core/src/testing/bed/scratch.ts';

const lines = `data: data
directory: {type: embedded, base: "dc=example,dc=org"}
domains: {Default: {base: "dc=example,dc=org"}}
super_admins: ["uid=admin,dc=example,dc=org"]
`;
const good = { code: 0, printed: ['The configuration is good.'], errors: [] };

let folder: string;
beforeAll(async () => {
  folder = await scratchFolder('configured');
});
afterAll(() => rmSync(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);

async function check(more: string) {
  writeFileSync(at('watchword.yaml'), lines + more, { mode: 0o600 });
  return checkServer(at('watchword.yaml'));
}
const errorsOf = async (more: string): Promise<string> => (await check(more)).errors.join('\n');

describe('roles and option sets', () => {
  const role = (subtree: string, method = 'Get_*') =>
    `roles:\n  helpdesk:\n    members: ["uid=bob,dc=example,dc=org"]\n    methods: ["${method}"]\n    subtrees: ["${subtree}"]\n`;
  const set = (subtree: string) => `option_sets:\n  quiet: {subtree: "${subtree}"}\n`;

  it('are told of with their lines, methods too', async () => {
    expect(await errorsOf(role('dc=example,dc=org', 'Gett_*'))).toMatch(
      /^watchword: watchword\.yaml, line 8: roles\.helpdesk\.methods\[0\] is neither a method nor a pattern that matches one; /,
    );
  });

  it.each(['dc=example,dc=org', 'OU=People, DC=Example, DC=org', 'dc=org'])(
    'may be set on %s',
    async (subtree) => {
      expect(await check(role(subtree))).toEqual(good);
      expect(await check(set(subtree))).toEqual(good);
    },
  );

  it.each(['dc=example,dc=com', 'ou=people', 'dc=other,dc=org'])(
    'are not set beside the directory: %s',
    async (subtree) => {
      const cure = 'is outside the directory; write a DN at or below dc=example,dc=org';
      expect(await errorsOf(role(subtree))).toContain(`line 9: roles.helpdesk.subtrees[0] ${cure}`);
      expect(await errorsOf(set(subtree))).toContain(`line 6: option_sets.quiet.subtree ${cure}`);
    },
  );
});

describe('an authority that is brought along', () => {
  const files = (certificate: string, key: string) => `ca: {certificate: ${certificate}, key: ${key}}\n`;
  const make = (name: string, ...kind: readonly string[]) => {
    const made = ['-keyout', `${name}.key`, '-out', `${name}.pem`];
    const common = ['req', '-x509', '-subj', '/CN=x', '-days', '400', '-newkey'];
    return run('openssl', [...common, ...kind, ...made], { cwd: folder });
  };
  beforeAll(async () => {
    await make('root', 'rsa:2048', '-nodes');
    await make('curve', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-384', '-nodes');
    await make('ending', 'rsa:2048', '-nodes', '-days', '364');
    await make('small', 'rsa:1024', '-nodes');
    await make('locked', 'rsa:2048', '-passout', 'pass:secret');
    await make('leaf', 'rsa:2048', '-nodes', '-addext', 'basicConstraints=critical,CA:FALSE');
  });

  it.each(['root', 'curve'])('is good, and nothing is written: %s', async (name) => {
    expect(await check(files(`${name}.pem`, `${name}.key`))).toEqual(good);
    expect(readdirSync(folder)).not.toContain('data');
  });

  it('is one to replace in its last year', async () => {
    const { code, errors } = await check(files('ending.pem', 'ending.key'));
    expect({ code, count: errors.length }).toEqual({ code: 0, count: 1 });
    expect(errors[0]).toMatch(/^Warning: ca\.certificate is good until \d{4}-.+; name another in time$/);
  });

  it.each([
    ['that is not there', 'none.pem', 'root.key', /line 5: ca\.certificate names .+, which cannot be read/],
    ['with the key of another', 'root.pem', 'leaf.key', /does not belong to its certificate; give two/],
    ['that is none', 'leaf.pem', 'leaf.key', /is not one of an authority; give one with CA:TRUE/],
    ['with a weak key', 'small.pem', 'small.key', /is of another kind; give one of RSA from 2048 bits/],
    ['whose key is locked', 'locked.pem', 'locked.key', /cannot be read; give one in PEM, without a pass/],
    ['whose files are swapped', 'root.key', 'root.pem', /cannot be read; give one in PEM/],
  ])('is refused: one %s', async (_, certificate, key, sentence) => {
    const { code, errors } = await check(files(certificate, key));
    expect({ code, count: errors.length }).toEqual({ code: 1, count: 1 });
    expect(errors[0]).toMatch(sentence);
    expect(errors[0]).toContain(at(certificate));
  });
});
