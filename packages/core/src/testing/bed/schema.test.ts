/** The schema that we ship loads into slapd in both of its forms, and both say the same. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it, onTestFinished } from 'vitest';
import { run, scratchFolder } from './scratch.ts';

const shipped = (name: string): string =>
  fileURLToPath(new URL(`../../../../../schema/${name}`, import.meta.url));

it('loads into cn=config', async () => {
  const folder = await scratchFolder('schema');
  onTestFinished(() => rm(folder, { recursive: true }));
  await mkdir(join(folder, 'slapd.d'));
  const files = ['core', 'cosine', 'inetorgperson'].map((name) => `/etc/ldap/schema/${name}.ldif`);
  const configuration = [
    'dn: cn=config\nobjectClass: olcGlobal\ncn: config\n',
    'dn: cn=schema,cn=config\nobjectClass: olcSchemaConfig\ncn: schema\n',
    ...[...files, shipped('watchword.ldif')].map((file) => `include: file://${file}\n`),
  ].join('\n');
  await writeFile(join(folder, 'config.ldif'), configuration);
  await run('/usr/sbin/slapadd', [
    '-n',
    '0',
    '-F',
    join(folder, 'slapd.d'),
    '-l',
    join(folder, 'config.ldif'),
  ]);
  const { stdout } = await run('/usr/sbin/slapcat', [
    '-n',
    '0',
    '-o',
    'ldif-wrap=no',
    '-F',
    join(folder, 'slapd.d'),
  ]);
  expect(stdout).toContain("NAME 'webadmAccount'");
});

it('is the same for slapd.conf, cn=config and Active Directory', async () => {
  const [schema, ldif, ldf] = await Promise.all(
    ['watchword.schema', 'watchword.ldif', 'watchword.ldf'].map((name) => readFile(shipped(name), 'utf8')),
  );
  expect(definitions(ldif)).toEqual(definitions(schema));
  expect(definitions(schema)).toHaveLength(7);
  const names = [...(ldf ?? '').matchAll(/^lDAPDisplayName: (\w+)$/gm)].map(([, name]) => name);
  expect(names.sort()).toEqual(
    definitions(schema)
      .map((text) => /NAME '(\w+)'/.exec(text)?.[1])
      .sort(),
  );
});

/** `( oid NAME …)` of attributes and classes, in one spelling. */
function definitions(text = ''): string[] {
  return [...text.matchAll(/\( watchword:[\s\S]*?(?=\n\S|\n\n|$(?![\s\S]))/g)].map(([definition]) =>
    definition.replace(/\s+/g, ' ').trim(),
  );
}
