/** Reads QR codes with programs that are not ours: zbarimg, and Chromium for what only a browser shows. */
import { spawn } from 'node:child_process';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { run, scratchFolder } from '../scratch.ts';
import { usualBrowser } from './browser.ts';

/** The text of the QR code in a picture that ImageMagick reads; empty if there is none. */
export function readQrCode(picture: Uint8Array): Promise<string> {
  const zbarimg = spawn('zbarimg', ['--nodbus', '-q', '--raw', '-Sdisable', '-Sqrcode.enable', '-']);
  zbarimg.stdin.on('error', () => undefined).end(picture);
  return new Promise((resolve, reject) => {
    const output: Buffer[] = [];
    zbarimg.stdout.on('data', (part: Buffer) => output.push(part));
    zbarimg.on('error', reject);
    // After each text zbarimg sets a line feed of its own.
    zbarimg.on('close', () => resolve(Buffer.concat(output).toString().replace(/\n$/, '')));
  });
}

/** The text of the QR code in an SVG, as a browser draws it in a window of `side` pixels. */
export async function readQrSvg(svg: Uint8Array, side: number): Promise<string> {
  const folder = await scratchFolder('svg');
  const [page, picture] = [join(folder, 'code.svg'), join(folder, 'code.png')];
  try {
    await writeFile(page, svg);
    const quiet = ['--headless', '--no-sandbox', '--disable-gpu', '--hide-scrollbars'];
    const output = [`--screenshot=${picture}`, `--window-size=${side},${side}`];
    await run(usualBrowser, [...quiet, `--user-data-dir=${join(folder, 'profile')}`, ...output, page]);
    return await readQrCode(await readFile(picture));
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

type Theme = 'dark' | 'light';

/** The text of the QR code that a terminal shows, each character 4 pixels wide and 8 high. */
export function readQrText(text: string, theme: Theme): Promise<string> {
  const lines = text.replace(/\n$/, '').split('\n');
  const rows = lines.flatMap((line) => showLine(line, theme));
  const width = Math.max(...rows.map((row) => row.length));
  const pixels = rows.flatMap((row) => {
    const line = row.flatMap((grey) => [grey, grey, grey, grey]);
    return [line, line, line, line];
  });
  const head = `P5 ${4 * width} ${pixels.length} 255\n`;
  return readQrCode(Buffer.concat([Buffer.from(head, 'latin1'), Buffer.from(pixels.flat())]));
}

/** The upper and the lower half of a line, as greys; understands the escapes for white on black. */
function showLine(line: string, theme: Theme): readonly (readonly number[])[] {
  let [ink, paper] = theme === 'dark' ? [200, 30] : [30, 220];
  const halves: [number[], number[]] = [[], []];
  for (const [part, escape] of line.matchAll(/\x1b\[([0-9;]*)m|./gu)) {
    if (escape === '38;5;231;48;5;16') [ink, paper] = [255, 0];
    if (escape !== undefined) continue;
    halves[0].push('█▀'.includes(part) ? ink : paper);
    halves[1].push('█▄'.includes(part) ? ink : paper);
  }
  return halves;
}
