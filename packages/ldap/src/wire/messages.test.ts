/** Compares the decoder with a simple one that follows RFC 4511 literally. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ServiceError } from '../../../core/src/foundation/errors/errors.ts';
import { canonicalDnText } from '../../../core/src/foundation/text/dn.ts';
import { isBinaryAttribute, valueOf } from '../../../core/src/foundation/text/value.ts';
import type { Entry } from '../../../core/src/ports/directory/directory.ts';
import { type Bytes, element, integer, octetString } from './ber.ts';
import { BerCursor } from './ber-cursor.ts';
import { Frames } from './frames.ts';
import { type Message, readMessage } from './messages.ts';
import { plainName } from './wire-names.ts';

/** Decodes a frame, or returns that it is refused. */
function outcome<T>(read: () => T): T | 'refused' {
  try {
    return read();
  } catch (error) {
    if (error instanceof ServiceError && error.reason === 'unavailable') return 'refused';
    throw error;
  }
}

const latin1 = (bytes: Bytes): Buffer => Buffer.from(bytes, 'latin1');

interface Said {
  readonly id: number;
  readonly entry?: Entry | undefined;
  readonly result?: object | undefined;
}

/** A literal decoder of RFC 4511, with a cursor for each element. */
function byTheLetter(frame: Buffer): Said {
  const message = new BerCursor(frame).open(0x30);
  const id = message.integer();
  const operation = message.tag;
  const body = message.open(operation);
  if (operation === 0x64) return { id, entry: entryByTheLetter(body) };
  if (operation === 0x73 || operation === 0x79) return { id };
  const code = body.integer(0x0a);
  body.bytes(0x04);
  return { id, result: { operation, code, diagnostic: body.text(0x04), controls: controlsOf(message) } };
}

function entryByTheLetter(body: BerCursor) {
  const dn = canonicalDnText(body.text(0x04));
  const attributes = new Map();
  for (const list = body.open(0x30); list.more; ) {
    const attribute = list.open(0x30);
    const name = plainName(attribute.text(0x04));
    const values = [];
    for (const set = attribute.open(0x31); set.more; ) {
      const bytes = set.bytes(0x04);
      values.push(isBinaryAttribute(name) ? bytes : valueOf(bytes));
    }
    if (values.length > 0) attributes.set(name, values);
  }
  return { dn, attributes };
}

function controlsOf(message: BerCursor) {
  const controls = [];
  for (const list = message.more ? message.open(0xa0) : undefined; list?.more; ) {
    const control = list.open(0x30);
    const type = control.text(0x04);
    if (control.more && control.tag === 0x01) control.open(0x01);
    controls.push({ type, value: inside(control.more ? new BerCursor(control.bytes(0x04)) : undefined) });
  }
  return controls;
}

/** Converts a message to the form of {@link byTheLetter}. */
const read = (frame: Buffer): Said => said(readMessage(frame));

function said({ id, entry, result }: Message): Said {
  const controls = result?.controls.map(({ type, value }) => ({ type, value: inside(value) }));
  return { id, entry: entry?.entry, result: result && { ...result, controls } };
}

/** Returns the contents of a control. */
const inside = (value: BerCursor | undefined) => outcome(() => value?.bytes(0x04).toString('hex'));

/** Converts maps to lists, which have an order. */
const comparable = ({ entry, ...rest }: Said) => ({
  ...rest,
  dn: entry?.dn,
  attributes: entry && [...entry.attributes],
});

const octets = fc.uint8Array({ maxLength: 12 });
const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 12 }), octets, fc.constant('\ufffd'));
const dns = fc.oneof(text, fc.constantFrom('uid=ada,dc=example', 'cn="a, b" , dc=example', 'cn=a\\2cb'));
const names = fc.constantFrom(
  'cn',
  'Mail',
  'userCertificate;binary',
  'jpegPhoto',
  'cn;lang-de',
  'x;binary;y',
);
const ids = fc.integer({ min: 0, max: 2 ** 31 - 1 }).map((id) => integer(0x02, id));

const attribute = fc
  .tuple(names, fc.array(text, { maxLength: 3 }))
  .map(([name, values]) =>
    element(0x30, octetString(name) + element(0x31, values.map((value) => octetString(value)).join(''))),
  );
const entry = fc
  .tuple(dns, fc.array(attribute, { maxLength: 4 }))
  .map(([dn, all]) => element(0x64, octetString(dn) + element(0x30, all.join(''))));
const critical = fc.constantFrom('', element(0x01, '\xff'));
const value = fc.option(octets.map((bytes) => octetString(octetString(bytes))));
const control = fc
  .tuple(critical, value)
  .map(([first, second]) => element(0x30, octetString('1.2.3') + first + (second ?? '')));
const controls = fc.array(control, { maxLength: 3 }).map((all) => element(0xa0, all.join('')));
const result = fc
  .tuple(fc.constantFrom(0x61, 0x65, 0x78), fc.nat(90), text, text, fc.option(controls))
  .map(
    ([tag, code, matched, words, after]) =>
      element(tag, integer(0x0a, code) + octetString(matched) + octetString(words)) + (after ?? ''),
  );
const other = fc
  .tuple(fc.constantFrom(0x73, 0x79), text)
  .map(([tag, inside]) => element(tag, octetString(inside)));
const frames = fc
  .tuple(ids, fc.oneof(entry, result, other))
  .map(([id, operation]) => latin1(element(0x30, id + operation)));

describe('message', () => {
  it('is decoded as by the literal decoder', () => {
    fc.assert(
      fc.property(frames, (frame) => {
        expect(comparable(read(frame))).toEqual(comparable(byTheLetter(frame)));
      }),
      { numRuns: 500 },
    );
  });

  it('is decoded alike or refused by both when it is damaged', () => {
    fc.assert(
      fc.property(frames, fc.nat(), fc.nat(255), fc.boolean(), (frame, at, byte, isCut) => {
        const place = at % frame.length;
        const damaged = isCut ? frame.subarray(0, place) : Buffer.from(frame).fill(byte, place, place + 1);
        expect(outcome(() => comparable(read(damaged)))).toEqual(
          outcome(() => comparable(byTheLetter(damaged))),
        );
      }),
      { numRuns: 3000 },
    );
  });

  it('holds no references to its bytes, at any length', () => {
    const padding = fc.constantFrom(0, 3_000).map((length) => octetString('x'.repeat(length)));
    const lengthened = fc.tuple(ids, dns, attribute, padding).map(([id, dn, first, more]) => {
      const list = element(0x30, first + element(0x30, octetString('long') + element(0x31, more)));
      return latin1(element(0x30, id + element(0x64, octetString(dn) + list)));
    });
    fc.assert(
      fc.property(fc.oneof(frames, lengthened), (frame) => {
        const here = Buffer.from(frame);
        const message = readMessage(here);
        here.fill(0x41);
        expect(comparable(said(message))).toEqual(comparable(byTheLetter(frame)));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ['a list that reaches beyond its element', '300c020101640704013030025555'],
    ['a value that reaches beyond its set', '3014020101640f0401613009300704016e31020405aa'],
    ['an indefinite length', '30800201016500000000'],
    ['a length of five octets', '3085000000000c02010165070a010004000400'],
    ['a number of five octets', '30100205000000000165070a010004000400'],
    ['nothing inside', '3000'],
    ['no bytes', ''],
  ])('is refused with %s', (_, hex) => {
    expect(outcome(() => readMessage(Buffer.from(hex, 'hex')))).toBe('refused');
  });
});

it('decodes values as text or bytes', () => {
  fc.assert(
    fc.property(fc.oneof(octets, text), (given) => {
      const bytes = latin1(octetString(given));
      expect(new BerCursor(bytes).value(0x04)).toEqual(valueOf(new BerCursor(bytes).bytes(0x04)));
    }),
    { numRuns: 2000 },
  );
});

it('splits messages from any pieces in a reused buffer', () => {
  const many = fc.array(frames, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(many, fc.integer({ min: 1, max: 40 }), (sent, size) => {
      const [bytes, place] = [Buffer.concat(sent), Buffer.alloc(size)];
      const [cut, arrived] = [new Frames(), [] as Buffer[]];
      for (let at = 0; at < bytes.length; at += size) {
        const length = bytes.copy(place, 0, at, at + size);
        arrived.push(...cut.push(place.subarray(0, length)).map((frame) => Buffer.from(frame)));
        place.fill(0x41);
      }
      expect(arrived).toEqual(sent);
      expect(cut.empty).toBe(true);
    }),
  );
});
