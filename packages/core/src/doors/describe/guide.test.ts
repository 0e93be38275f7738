/** Compares the guides, the concept pages and the README with the code: names, settings and links. What they show is run in `test/guides`. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { bundled } from '../../applications/index.ts';
import { nodeAt } from '../../config/schema-node.ts';
import { configJsonSchema } from '../../index.ts';
import { Names } from '../../table/dialect.ts';
import { MethodTable } from '../manager/methods.ts';

const root = new URL('../../../../../', import.meta.url);
const below = (folder: string) => readdirSync(new URL(folder, root)).map((name) => `${folder}${name}`);
const written = ['README.md', 'CONTRIBUTING.md', 'GUARANTEES.md', 'SECURITY.md', 'CHANGELOG.md'];
const folders = ['docs/guide/', 'docs/concepts/', 'docs/decisions/'];
const pages = [...folders.flatMap(below), ...written];

const textOf = (path: string): string => readFileSync(new URL(path, root), 'utf8');

/** Returns the matches in a page, once each; the first group of the pattern. */
function found(path: string, pattern: RegExp): string[] {
  return [...new Set([...textOf(path).matchAll(pattern)].map(([, first = '']) => first))];
}

describe.each(pages)('%s', (path) => {
  it('names methods that there are', () => {
    const table = new MethodTable(bundled, new Names());
    const names = found(path, /`((?:[A-Z][A-Za-z]+\.)?[A-Z][a-z]+_[A-Za-z_]+)`/g);
    expect(names.filter((name) => table.find(name) === undefined)).toEqual([]);
  });

  it('names settings that there are', () => {
    const maps = Object.entries(configJsonSchema().properties ?? {}).filter(
      ([, node]) => typeof node === 'object' && (node.properties || node.oneOf),
    );
    const known = maps.map(([key]) => key).join('|');
    const keys = found(path, new RegExp(`\`((?:${known})(?:\\.[a-z_]+)+)\``, 'g'));
    const data = { directory: { type: 'ldap' }, store: { type: 'postgres' } };
    const settings = keys.filter((key) => !key.endsWith('.pem')); // `ca.pem` is a file
    expect(settings.filter((key) => !nodeAt(configJsonSchema(), key.split('.'), data))).toEqual([]);
  });

  it('names application settings that there are', () => {
    const known = Object.values(bundled).flatMap(({ name, settings }) =>
      Object.keys(settings).map((key) => `${name}.${key}`),
    );
    const names = Object.keys(bundled).join('|');
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
});
