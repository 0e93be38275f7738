/** The chain of the event log: whatever is done to an export of it is found by its lines and the public key alone. */
import { createPublicKey, hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { systemRandom } from '../../../../node/src/machine/index.ts';
import { cefOf } from '../../events/cef.ts';
import { KeyRing } from '../keys.ts';
import {
  type ChainHead,
  type ChainPart,
  checkpointPurpose,
  exportLine,
  linkRecord,
  signLink,
  startChain,
} from './chain.ts';
import type { AuditEvent, LinkedRecord } from './event-log.ts';
import { ChainVerifier, type Verified } from './verification.ts';

const ring = (byte: number) => new KeyRing([Buffer.alloc(32, byte)], systemRandom);
const ours = ring(1);
const keysOf = (keys: KeyRing) => keys.verifyingKeys(checkpointPurpose).map((key) => createPublicKey(key));

const event = (time: number, text = 'something'): AuditEvent => ({
  ...{ time, client: '192.0.2.1:4711', application: 'Otp', session: 'ABCDEFGH', text },
});

interface Log {
  readonly records: readonly LinkedRecord[];
  readonly head: ChainHead;
}

/** Makes a log of events, with a checkpoint after every third one. */
function logOf(texts: readonly string[], first = 0): Log {
  let head = startChain(event(first, String(first)));
  const records: LinkedRecord[] = [];
  const keep = (record: LinkedRecord) => {
    records.push(record);
    head = { ...head, number: record.number, hash: record.hash };
  };
  for (const [index, text] of texts.entries()) {
    keep(linkRecord(head, { event: event(first + index, text) }));
    if (index % 3 === 2) keep(signLink(head, { time: first + index, counted: [] }, ours));
  }
  return { records, head };
}

/** Exports logs from a record of each on, closed in the last one. */
function exportOf(logs: readonly Log[], { from = 1, keys = ours, removed = false } = {}): readonly string[] {
  const spans = logs.map(({ head }): ChainPart => ({ ...head, from }));
  const last = logs.at(-1);
  if (!last) return [];
  const before = last.records[from - 2];
  const gone = removed && before ? { removed: { number: before.number, hash: before.hash } } : {};
  const closing = signLink(last.head, { time: 99, counted: [], exported: spans, ...gone }, keys);
  return [...logs.flatMap(({ records }) => records.slice(from - 1)), closing].map(exportLine);
}

function verify(lines: readonly string[], keys = ours): Verified {
  const verifier = new ChainVerifier(keysOf(keys));
  for (const line of lines) verifier.add(line);
  return verifier.end();
}

const texts = fc.array(fc.string({ maxLength: 20 }), { minLength: 1, maxLength: 12 });
const place = fc.nat({ max: 1000 });

describe('an export', () => {
  it('is valid when it is unchanged', () => {
    fc.assert(
      fc.property(texts, (some) => {
        const found = { events: some.length, first: 0, last: some.length - 1, signed: 99 };
        expect(verify(exportOf([logOf(some)]))).toEqual({ ...found, isShortened: false, isPart: false });
      }),
    );
  });

  it.each<[string, (lines: string[], at: number, other: number) => void]>([
    ['a record that was changed', (lines, at) => lines.splice(at, 1, changed(lines[at] ?? ''))],
    ['a record that was dropped', (lines, at) => lines.splice(at, 1)],
    ['a record that is there twice', (lines, at) => lines.splice(at, 0, lines[at] ?? '')],
    [
      'two records that were swapped',
      (lines, at) => lines.splice(at, 2, lines[at + 1] ?? '', lines[at] ?? ''),
    ],
    ['an end that was cut off', (lines, at) => lines.splice(at)],
    ['a beginning that was cut off', (lines, at) => lines.splice(0, at + 1)],
    ['something behind its end', (lines) => lines.push(lines[0] ?? '')],
    [
      'a line that is none',
      (lines, at, other) =>
        lines.splice(at, 0, ['', '{}', 'null', lines[0]?.slice(1) ?? ''][other % 4] ?? ''),
    ],
  ])('shows %s', (_, tamper) => {
    fc.assert(
      fc.property(texts, place, place, (some, where, other) => {
        const lines = [...exportOf([logOf(some)])];
        // Not the closing record, but where the end is cut off it goes along.
        tamper(lines, where % (lines.length - 1), other);
        expect(() => verify(lines)).toThrow();
      }),
    );
  });

  it('shows a forged record with a right hash', () => {
    const { records, head } = logOf(['a', 'b', 'c', 'd']);
    for (const [at, record] of records.entries()) {
      if (!('event' in JSON.parse(record.record))) continue;
      const before: ChainHead = { ...startChain(event(0, '0')), ...records[at - 1] };
      const forged = linkRecord(before, { event: event(50, 'forged') });
      const lines = exportOf([{ records: records.with(at, forged), head }]);
      expect(() => verify(lines)).toThrow(
        /does not name the hash of number \d+: one of the two was put there later/,
      );
    }
  });

  it('shows records that were rewritten without the key, up to the end', () => {
    const theirs = ring(2);
    fc.assert(
      fc.property(texts, (some) => {
        expect(() => verify(exportOf([logOf(some)], { keys: theirs }))).toThrow(/none of the keys/);
        expect(() => verify(exportOf([logOf(some)]), theirs)).toThrow(/none of the keys/);
      }),
    );
  });

  it('is valid with several chains', () => {
    const logs = [logOf(['a', 'b'], 10), logOf(['c', 'd', 'e', 'f'], 20)];
    expect(verify(exportOf(logs))).toMatchObject({ events: 6, first: 10, last: 23 });
    const lines = exportOf(logs);
    expect(() => verify(lines.slice(2))).toThrow(/which the last record names, is not there/);
    expect(() => verify(lines.filter((_, index) => index !== 1))).toThrow(/is not what the last record says/);
  });

  it('finds the earliest and the latest event in any chain', () => {
    const logs = [logOf(['a', 'b'], 20), logOf(['c', 'd'], 10)];
    expect(verify(exportOf(logs))).toMatchObject({ first: 10, last: 21 });
  });

  it('shows a chain that the last record does not name', () => {
    const [one, other] = [logOf(['a', 'b'], 10), logOf(['c'], 20)];
    const lines = [...one.records.map(exportLine), ...exportOf([other])];
    expect(() => verify(lines)).toThrow(`Chain ${one.head.chain} is not what the last record says`);
  });

  it('shows a forged last record of another chain with a right hash', () => {
    const [one, other] = [logOf(['a', 'b'], 10), logOf(['c'], 20)];
    const before: ChainHead = { ...one.head, ...one.records.at(-2) };
    const records = one.records.with(-1, linkRecord(before, { event: event(50, 'forged') }));
    expect(() => verify(exportOf([{ ...one, records }, other]))).toThrow(/is not what the last record says/);
  });

  it('shows a false begin', () => {
    const chain = startChain(event(0, '0'));
    for (const before of [
      { ...chain, number: 4 },
      { ...chain, hash: 'a'.repeat(64) },
    ]) {
      const first = linkRecord(before, { event: event(1) });
      const head = { ...chain, number: first.number, hash: first.hash };
      const spans = [{ ...head, from: first.number }];
      const closing = signLink(head, { time: 99, counted: [], exported: spans }, ours);
      expect(() => verify([first, closing].map(exportLine))).toThrow(/has lost its beginning/);
    }
  });

  it('shows a begin that a checkpoint names after another record', () => {
    const { records, head } = logOf(['a', 'b', 'c', 'd', 'e', 'f']);
    const [kept, exported] = [records.slice(2), [{ ...head, from: 3 }]];
    for (const removed of [
      { number: 2, hash: 'a'.repeat(64) },
      { ...records[1], number: 1 },
    ]) {
      const { number, hash: named = '' } = removed;
      const said = { time: 99, counted: [], exported, removed: { number, hash: named } };
      const lines = [...kept, signLink(head, said, ours)].map(exportLine);
      expect(() => verify(lines)).toThrow(/has lost its beginning/);
    }
  });

  it('is valid when the first record of a chain is a checkpoint', () => {
    const chain = startChain(event(0, '0'));
    const first = signLink(chain, { time: 1, counted: [] }, ours);
    const head = { ...chain, number: 1, hash: first.hash };
    expect(verify(exportOf([{ records: [first], head }]))).toMatchObject({ events: 0, isPart: false });
  });

  it('is refused as cut off when the last checkpoint closes nothing', () => {
    expect(() => verify(logOf(['a', 'b', 'c']).records.map(exportLine))).toThrow(/is cut off/);
  });

  it('may begin at a checkpoint, or after records that a checkpoint names as removed', () => {
    const log = logOf(['a', 'b', 'c', 'd', 'e', 'f']);
    expect(verify(exportOf([log], { from: 4 }))).toMatchObject({ events: 3, isPart: true });
    expect(verify(exportOf([log], { from: 3, removed: true }))).toMatchObject({
      events: 4,
      isShortened: true,
    });
    expect(() => verify(exportOf([log], { from: 3 }))).toThrow(/has lost its beginning/);
  });

  it('gets an error with the line and the reason', () => {
    const lines = [...exportOf([logOf(['a', 'b', 'c', 'd'])])];
    const said = (tamper: (all: string[]) => void) => {
      const copy = [...lines];
      tamper(copy);
      return () => verify(copy);
    };
    expect(said((all) => all.splice(1, 1))).toThrow(
      'Line 2 is number 3 and follows number 1: what stood between them was dropped.',
    );
    expect(said((all) => all.splice(1, 1, changed(all[1] ?? '')))).toThrow(
      'Line 2 was changed: it does not have the hash that stands before it.',
    );
    expect(said((all) => all.splice(1, 0, all[1] ?? ''))).toThrow(
      'Line 3 is number 2 and follows number 2: it stands in a wrong place, or twice.',
    );
    expect(said((all) => all.pop())).toThrow(
      'The export is cut off: the record that closes it is not there.',
    );
  });

  it('is refused for a line that is no record, even with a right hash', () => {
    const withHash = (record: string) => exportLine({ number: 1, hash: hash('sha256', record), record });
    const others = [
      ['', withHash('{chain}'), withHash('{"chain":1,"number":1,"event":{"time":1}}')],
      [withHash('{"chain":"0","number":"1","event":{"time":1}}'), withHash('{"chain":"0","number":0.5}')],
    ].flat();
    for (const line of others)
      expect(() => verify([line])).toThrow('Line 1 is not a record of an event log.');
    expect(() => verify([withHash('{"chain":"0","number":1}')])).toThrow(
      'Line 1 is neither an event nor a checkpoint.',
    );
  });

  it('is refused for a line of more than a million characters', () => {
    const lineWith = (length: number) =>
      exportLine(linkRecord(startChain(event(0)), { event: event(1, 'x'.repeat(length)) }));
    const others = lineWith(0).length;
    const add = (length: number) => () => new ChainVerifier(keysOf(ours)).add(lineWith(length - others));
    expect(add(1_000_000)).not.toThrow();
    expect(add(1_000_001)).toThrow('Line 1 is not a record of an event log.');
  });
});

const changed = (line: string): string =>
  line.replace(/"time":(\d)/, (_, digit) => `"time":${(Number(digit) + 1) % 10}`);

describe('an event in CEF', () => {
  it('has time, client, entry and text', () => {
    expect(cefOf({ ...event(1_700_000_000_000, 'Login'), dn: 'uid=alice,dc=example' }, 'c:7')).toBe(
      'CEF:0|Watchword|Watchword|0.1.0|Otp:event|Otp event|3|rt=1700000000000 externalId=c:7 src=192.0.2.1 spt=4711 cs1Label=session cs1=ABCDEFGH cs2Label=dn cs2=uid\\=alice,dc\\=example msg=Login',
    );
    expect(cefOf({ ...event(5), client: '[2001:db8::1]:80', count: 3, last: 9 }, 'c:1')).toContain(
      '|Otp:refused|Otp refused|5|rt=5 end=9 cnt=3 externalId=c:1 c6a2Label=Source IPv6 Address c6a2=2001:db8::1 spt=80 ',
    );
  });

  it('is one line with seven bars for any text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), (text, application) => {
        const line = cefOf({ ...event(0, text), application }, 'c:1');
        expect(line).not.toMatch(/[\r\n]/);
        const [, extension = ''] = /^CEF:0\|(?:(?:[^\\|]|\\[\\|])*\|){6}(.*)$/su.exec(line) ?? [];
        const [, message = ''] = / msg=(.*)$/su.exec(extension) ?? [];
        const read = message.replace(/\\(.)/gsu, (_, next) => (next === 'n' ? '\n' : next));
        expect(read).toBe(text.replace(/\r\n|\r/g, '\n'));
      }),
    );
  });
});
