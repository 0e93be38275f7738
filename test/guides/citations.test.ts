/** Comments and pages cite what is in the repository, by the heading where there is one. */
import { describe, expect, it } from 'vitest';
import { citationsIn, citingFiles, isFound, numberedCitations } from './citations.ts';

describe('citations', () => {
  it('finds the files that may cite', () => {
    expect(citingFiles).toContain('docs/concepts/limits.md');
    expect(citingFiles).toContain('packages/core/src/login/login.ts');
  });

  it('names files and headings that are in the repository', () => {
    const missing = citingFiles.flatMap(citationsIn).filter((one) => !isFound(one));
    expect(missing.map(({ file, text }) => `${file}: ${text}`)).toEqual([]);
  });

  it('cites no document by the number of a section', () => {
    const numbered = citingFiles.flatMap((file) => numberedCitations(file).map((text) => `${file}: ${text}`));
    expect(numbered).toEqual([]);
  });
});
