/**
 * The text of what is kept of a user, read by hand where nothing stands in it but known places, as of nearly every
 * user: `{"known":[{"place":"…","day":20000}],"grounds":{},"wrongPasswords":0}`. `JSON.parse` takes ten times as long.
 */
import type { KnownPlace } from '../success.ts';

const begin = '{"known":[';
const end = '],"grounds":{},"wrongPasswords":0}';
const [beforePlace, beforeDay, behindDay] = ['{"place":"', '","day":', '}'];
/** Hexadecimal digits of a place that is no administrator's. */
const placeLength = 32;
const dayAt = beforePlace.length + placeLength + beforeDay.length;
const mostDigits = 6;

/** The known places of somebody of whom nothing else is kept. Undefined: more is kept, or it is written in another way. */
export function plainKnown(text: string): readonly KnownPlace[] | undefined {
  if (!text.startsWith(begin) || !text.endsWith(end)) return undefined;
  const known: KnownPlace[] = [];
  const last = text.length - end.length;
  let at = begin.length;
  while (at < last) {
    const behind = text.indexOf(behindDay, at);
    const one = plainPlace(text, at, behind);
    if (!one) return undefined;
    known.push(one);
    at = behind + behindDay.length;
    if (at < last && text[at++] !== ',') return undefined;
  }
  return at === last && text[at - 1] !== ',' ? known : undefined;
}

/** `{"place":"…","day":20000}` from there to there. */
function plainPlace(text: string, from: number, to: number): KnownPlace | undefined {
  const day = daysOf(text, from + dayAt, to);
  if (day === undefined || !text.startsWith(beforePlace, from)) return undefined;
  const placeAt = from + beforePlace.length;
  if (!text.startsWith(beforeDay, placeAt + placeLength) || !isHex(text, placeAt)) return undefined;
  return { place: text.slice(placeAt, placeAt + placeLength), day };
}

function daysOf(text: string, from: number, to: number): number | undefined {
  if (to <= from || to - from > mostDigits || text.charCodeAt(from) === zero) return undefined;
  let days = 0;
  for (let at = from; at < to; at += 1) {
    const digit = text.charCodeAt(at) - zero;
    if (!(digit >= 0 && digit <= 9)) return undefined;
    days = days * 10 + digit;
  }
  return days;
}

function isHex(text: string, from: number): boolean {
  for (let at = from; at < from + placeLength; at += 1) {
    const code = text.charCodeAt(at);
    if (!((code >= zero && code <= nine) || (code >= a && code <= f))) return false;
  }
  return true;
}

const [zero, nine, a, f] = [0x30, 0x39, 0x61, 0x66];
