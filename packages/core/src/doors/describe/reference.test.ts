import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { applyEnvironment } from '../../../../cli/src/config-file/environment.ts';
import { valueAt } from '../../config/schema-node.ts';
import { errorTable, reasons } from '../../foundation/errors/errors.ts';
import { configJsonSchema } from '../../index.ts';
import { reference } from './reference.ts';

const folder = new URL('../../../../../docs/reference/', import.meta.url);
const generated = reference();

/** The rows of all tables of a page, as cells. */
function rowsOf(file: string): string[][] {
  const lines = (generated.get(file) ?? '').split('\n').filter((line) => /^\| [`[]/.test(line));
  return lines.map((line) => line.split(' | ').map((cell) => cell.replace(/^\| |`| \|$/g, '')));
}

describe('docs/reference', () => {
  it('is what the tables say: run `npm run docs` and commit what it writes', () => {
    const committed = readdirSync(folder).map((name) => [name, readFileSync(new URL(name, folder), 'utf8')]);
    expect(Object.fromEntries(committed)).toEqual(Object.fromEntries(generated));
  });

  it.each([
    ['methods', 'methods.md', /^## (.+)$/gm, 20],
    ['operations', 'operations.md', /^### (.+)$/gm, 5],
  ])('leads from the list of %s to each of them', (_, file, heading, least) => {
    const page = generated.get(file) ?? '';
    const targets = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, target]) => target);
    const headings = [...page.matchAll(heading)].map(([, name = '']) =>
      name.toLowerCase().replaceAll('.', ''),
    );
    expect(targets.length).toBeGreaterThanOrEqual(least);
    expect(headings).toEqual(targets);
  });

  it('shows requests that are JSON', () => {
    const blocks = [...(generated.get('methods.md') ?? '').matchAll(/```json\n([\s\S]*?)\n```/g)];
    const requests = blocks.map(([, json = '']) => JSON.parse(json));
    expect(requests[0]).toMatchObject({ jsonrpc: '2.0', id: 1, method: 'Create_LDAP_Object' });
  });

  it('names for each setting the variable that sets it', () => {
    const settings = rowsOf('settings.md').filter(
      ([key = '', , , variable]) => variable && !key.includes('<'),
    );
    expect(settings.length).toBeGreaterThan(50);
    const schema = configJsonSchema();
    for (const [key = '', , , variable = ''] of settings) {
      const type = key === 'directory.type' || key === 'directory.base' ? 'embedded' : 'ldap';
      const { data } = applyEnvironment({ directory: { type } }, { [variable]: 'seen' }, schema);
      expect(valueAt(data, key.split('.')), variable).toBe('seen');
    }
  });

  it('names every reason with its codes', () => {
    const rows = rowsOf('errors.md').map(([reason, , standard, deployed]) => [reason, standard, deployed]);
    const wanted = reasons.map((reason) => {
      const { standard, deployed } = errorTable[reason];
      return [reason, String(standard), String(deployed)];
    });
    expect(rows).toEqual(wanted);
  });
});
