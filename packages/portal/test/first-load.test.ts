/** What a browser loads before it shows something. */
import { describe, expect, it } from 'vitest';
import { type PortalFile, portalFiles } from '../src/files.ts';

const textOf = (file: PortalFile | undefined): string => new TextDecoder().decode(file?.bytes);

describe.each(['admin', 'self'] as const)('the first load of %s', (site) => {
  const files = portalFiles(site);
  const page = textOf(files.get('index.html'));
  const loaded = Array.from(page.matchAll(/(?:src|href)="\/\w+\/([^"]+)"/g), ([, path = '']) => path);

  it('is below 250 kB, packed', () => {
    const sizes = ['index.html', ...loaded].map((path) => files.get(path)?.gzip?.byteLength ?? Number.NaN);
    expect(sizes.length).toBeGreaterThan(2);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(250_000);
  });

  it('is of this server alone, and has nothing inline', () => {
    expect(page).not.toMatch(/https?:|<script(?![^>]* src=)|<style| style=| on\w+=/);
  });

  it('is kept by the browser, but for the page that names it', () => {
    expect(loaded.map((path) => [path, files.get(path)?.hashed])).toEqual(loaded.map((path) => [path, true]));
    expect(files.get('index.html')?.hashed).toBe(false);
  });
});
