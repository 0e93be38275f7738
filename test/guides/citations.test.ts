/** Comments and pages cite what is in the repository, by the heading where there is one. */
import { describe, expect, it } from 'vitest';
import { citationsIn, citingFiles, isFound, missingSources, numberedCitations } from './citations.ts';

describe('citations', () => {
  it('finds the files that may cite', () => {
    expect(citingFiles).toContain('docs/concepts/limits.md');
    expect(citingFiles).toContain('packages/core/src/login/login.ts');
  });

  it('misses a file and a heading that are not there', () => {
    const file = 'packages/core/src/login/login.ts';
    const cite = (document: string, anchor?: string) => isFound({ file, text: document, document, anchor });
    expect(cite('docs/concepts/limits.md', 'lockout')).toBe(true);
    expect(cite('docs/concepts/limits.md', 'no-such-limit')).toBe(false);
    expect(cite('docs/concepts/no-such-page.md')).toBe(false);
  });

  it('names files and headings that are in the repository', () => {
    const missing = citingFiles.flatMap(citationsIn).filter((one) => !isFound(one));
    expect(missing.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
  });

  it('names sources that are in the repository, such as those with a guard', () => {
    const missing = citingFiles.flatMap((file) => missingSources(file).map((path) => `${file}: ${path}`));
    expect(missing).toEqual([]);
  });

  it('cites no document by the number of a section', () => {
    const numbered = citingFiles.flatMap((file) => numberedCitations(file).map((text) => `${file}: ${text}`));
    expect(numbered).toEqual([]);
  });
});
