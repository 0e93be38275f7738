/** The guides and the README against the code: names, settings, links, and calls that are really made. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readYaml } from '../adapters/system/yaml-source.ts';
import { applications } from '../applications.ts';
import { nodeAt } from '../config/schema-node.ts';
import { configJsonSchema, readConfig } from '../config.ts';
import { Names } from '../dialect.ts';
import { MethodTable } from '../manager/methods.ts';
import { type Fixture, openFixture } from '../testing/fixture.ts';

const root = new URL('../../../../', import.meta.url);
const guides = readdirSync(new URL('docs/guide/', root)).map((name) => `docs/guide/${name}`);
const pages = [...guides, 'docs/decisions.md', 'README.md', 'CONTRIBUTING.md', 'GUARANTEES.md'];

const textOf = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** What matches in a page, once each; the first group of the pattern. */
function found(path: string, pattern: RegExp): string[] {
  return [...new Set([...textOf(path).matchAll(pattern)].map(([, first = '']) => first))];
}

const blocks = (path: string, language: string): string[] =>
  found(path, new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'));

describe.each(pages)('%s', (path) => {
  it('names methods that there are', () => {
    const table = new MethodTable(applications, new Names());
    const names = found(path, /`((?:[A-Z][A-Za-z]+\.)?[A-Z][a-z]+_[A-Za-z_]+)`/g);
    expect(names.filter((name) => table.find(name) === undefined)).toEqual([]);
  });

  it('names settings that there are', () => {
    const maps = Object.entries(configJsonSchema().properties ?? {}).filter(
      ([, node]) => typeof node === 'object' && (node.properties || node.oneOf),
    );
    const known = maps.map(([key]) => key).join('|');
    const keys = found(path, new RegExp(`\`((?:${known})(?:\\.[a-z_]+)+)\``, 'g'));
    const data = { directory: { type: 'ldap' } };
    const settings = keys.filter((key) => !key.endsWith('.pem')); // `ca.pem` is a file
    expect(settings.filter((key) => !nodeAt(configJsonSchema(), key.split('.'), data))).toEqual([]);
  });

  it('names application settings that there are', () => {
    const known = Object.values(applications).flatMap(({ name, settings }) =>
      Object.keys(settings).map((key) => `${name}.${key}`),
    );
    const names = Object.keys(applications).join('|');
    const asked = found(path, new RegExp(`\`((?:${names})\\.[A-Z][A-Za-z]+)\``, 'g'));
    expect(asked.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('links to files that there are', () => {
    const links = found(path, /\]\((?!https?:|#)([^)#]+)(?:#[^)]*)?\)/g);
    expect(links.filter((link) => !existsSync(new URL(link, new URL(path, root))))).toEqual([]);
  });

  it('names files that there are', () => {
    const files = found(path, /`((?:packages|scripts|schema|docs)\/[\w./-]+)`/g);
    expect(files.filter((file) => !existsSync(new URL(file, root)))).toEqual([]);
  });

  it('shows configurations that are accepted', () => {
    for (const block of blocks(path, 'yaml')) {
      expect(() => readConfig({ ...least, ...Object(readYaml(block, path).data) })).not.toThrow();
    }
  });
});

/** What an excerpt of a configuration may leave out. */
const least = {
  directory: { type: 'embedded', base: 'dc=example,dc=com' },
  domains: { Default: { base: 'dc=example,dc=com' } },
};

describe('the calls of administering.md', () => {
  const calls = [...textOf('docs/guide/administering.md').matchAll(/^manag '([^']+)'\n# (.+)$/gm)].map(
    ([, body = '', answer = '']) => ({ body, answer }),
  );
  let fixture: Fixture;

  beforeAll(async () => {
    fixture = await openFixture();
  });
  afterAll(async () => {
    await fixture?.close();
  });

  it('are found', () => {
    expect(calls.length).toBeGreaterThan(10);
  });

  it.each(calls)('$body', async ({ body, answer }) => {
    expect((await fixture.answer({ body })).body).toEqual(JSON.parse(answer));
  });
});
