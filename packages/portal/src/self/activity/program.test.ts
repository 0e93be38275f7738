import { expect, it } from 'vitest';
import { browserName } from './program.ts';

const webkit = 'AppleWebKit/605.1.15 (KHTML, like Gecko)';
const iphone = `Mozilla/5.0 (iPhone; CPU iPhone OS 17_4 like Mac OS X) ${webkit}`;
const windows =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Safari/537.36';
const android =
  'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/124.0.0.0 Mobile Safari/537.36';

it.each([
  [`${iphone} Version/17.0 EdgiOS/124.0.2478.50 Mobile/15E148 Safari/605.1.15`, 'Edge · iOS'],
  [`${iphone} Version/17.4 Mobile/15E148 Safari/604.1 OPT/4.6.1`, 'Opera · iOS'],
  [`${iphone} OPiOS/16.0.15.124050 Mobile/15E148 Safari/9537.53`, 'Opera · iOS'],
  [`${iphone} CriOS/124.0.6367.68 Mobile/15E148 Safari/604.1`, 'Chrome · iOS'],
  [`${iphone} FxiOS/125.0 Mobile/15E148 Safari/605.1.15`, 'Firefox · iOS'],
  [`${iphone} Version/17.4 Mobile/15E148 Safari/604.1`, 'Safari · iOS'],
  [`${windows} Edg/124.0.0.0`, 'Edge · Windows'],
  [`${windows} OPR/109.0.0.0`, 'Opera · Windows'],
  [`${android} EdgA/124.0.0.0`, 'Edge · Android'],
  ['curl/8.7.1', 'curl/8.7.1'],
])('names the browser and the system of %s', (text, name) => expect(browserName(text)).toBe(name));
