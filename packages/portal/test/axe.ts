/** What axe finds in a page, in light and in dark. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from '../../core/src/testing/bed/engines/browser.ts';

const source = readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

declare const axe: {
  run(options: object): Promise<{
    readonly violations: readonly { id: string; impact: string; nodes: readonly { html: string }[] }[];
  }>;
};

const gravities = ['moderate', 'serious', 'critical'] as const;

type Gravity = (typeof gravities)[number];

/** Findings from a gravity on, a line each: what, and where. The page's policy forbids scripts in it: axe comes by the debugger. */
export async function findingsOf(page: Page, least: Gravity = 'serious'): Promise<readonly string[]> {
  const found: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    // Nothing is on its way from one colour to another.
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    await page.evaluate(await source);
    const findings = await page.evaluate(
      async (wanted: readonly string[]) => {
        const { violations } = await axe.run({ resultTypes: ['violations'] });
        return violations
          .filter(({ impact }) => wanted.includes(impact))
          .flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
      },
      gravities.slice(gravities.indexOf(least)),
    );
    found.push(...findings.map((finding) => `${colorScheme}: ${finding}`));
  }
  return found;
}
