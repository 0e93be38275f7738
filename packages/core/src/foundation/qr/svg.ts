/** QR codes as SVG: one path, in units of a module. */
import type { Scale } from './bitmap.ts';
import type { Modules } from './matrix.ts';

export function drawSvg(modules: Modules, { size, margin }: Scale): string {
  const width = modules.length + 2 * margin;
  const [side, box] = [width * size, `0 0 ${width} ${width}`];
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" width="${side}" height="${side}" viewBox="${box}" shape-rendering="crispEdges">` +
    `<path fill="#fff" d="M0 0h${width}v${width}H0z"/><path d="${darkRuns(modules, margin)}"/></svg>\n`
  );
}

/** Draws a rectangle for each run of dark modules in a row. */
function darkRuns(modules: Modules, margin: number): string {
  const rows = modules.map((row) => row.map((isDark) => (isDark ? '#' : ' ')).join(''));
  return rows
    .flatMap((row, y) =>
      Array.from(row.matchAll(/#+/g), ({ 0: { length }, index }) => {
        return `M${index + margin} ${y + margin}h${length}v1h-${length}z`;
      }),
    )
    .join('');
}
