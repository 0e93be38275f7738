import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatRecord } from '../../../core/src/foundation/text/ldif.ts';
import type { AttributeValue } from '../../../core/src/foundation/text/value.ts';
import { valueOf } from '../../../core/src/foundation/text/value.ts';
import { processorTime } from '../../../core/src/testing/bed/measures/processor-time.ts';
import { type LdifRecord, type LdifSource, readLdif } from './ldif.ts';

async function records(source: LdifSource): Promise<LdifRecord[]> {
  const read: LdifRecord[] = [];
  for await (const record of readLdif(source)) read.push(record);
  return read;
}

async function plain(source: LdifSource): Promise<unknown[]> {
  return (await records(source)).map(({ dn, attributes }) => [dn.toString(), Object.fromEntries(attributes)]);
}

describe('LDIF', () => {
  it('is read with comments, folding, base64, CRLF and a version', async () => {
    const text = `version: 1\r\n# a comment\r\n  that goes on\r\ndn: cn=a,\r\n dc=x\r\ncn: a\r\ndescription:: w7w=\r\n\r\n
dn:: Y249w7w=
changetype: add
cn:   spaced
sn:
jpegPhoto:: /9j/`;
    expect(await plain(text)).toEqual([
      ['cn=a,dc=x', { cn: ['a'], description: ['ü'] }],
      ['cn=ü', { cn: ['spaced'], sn: [''], jpegPhoto: [Buffer.from([255, 216, 255])] }],
    ]);
  });

  it('is folded at 76 columns, and encoded when it is not a safe string', () => {
    const lines = formatRecord('cn=x', [
      ['description', 'y'.repeat(100)],
      ['sn', ' space before'],
      ['sn', 'behind '],
      ['sn', ':colon'],
      ['sn', 'ümlaut'],
    ]).split('\n');
    expect(lines.slice(0, 3)).toEqual(['dn: cn=x', `description: ${'y'.repeat(63)}`, ` ${'y'.repeat(37)}`]);
    expect(lines.slice(3, 7).every((line) => line.startsWith('sn:: '))).toBe(true);
    expect(lines.slice(7)).toEqual(['', '']);
  });

  it('is read as written, in any pieces', async () => {
    const value: fc.Arbitrary<AttributeValue> = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.uint8Array({ maxLength: 200 }).map((bytes) => valueOf(Buffer.from(bytes))),
    );
    const entry = fc.array(fc.tuple(fc.constantFrom('cn', 'sn', 'x;binary'), value), {
      minLength: 1,
      maxLength: 5,
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(entry, { minLength: 1, maxLength: 4 }),
        fc.integer({ min: 1, max: 90 }),
        async (entries, size) => {
          const text = entries.map((lines, n) => formatRecord(`cn=${n}`, lines)).join('');
          const bytes = Buffer.from(text, 'utf8');
          const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, n) =>
            bytes.subarray(n * size, (n + 1) * size),
          );
          const read = await records(pieces);
          const lines = read.map(({ attributes }) =>
            [...attributes].flatMap(([name, values]) => values.map((it) => [name, it])),
          );
          expect(lines.map(normal)).toEqual(entries.map(normal));
        },
      ),
    );
  });

  it.each([
    ['cn: x\n', 'LDIF line 1: a record begins with dn'],
    ['version: 2\n', 'LDIF line 1: only version 1 can be read'],
    ['\n\ndn: nonsense\n', 'LDIF line 3: the DN cannot be read'],
    ['dn: cn=x\ndn: cn=y\n', 'LDIF line 2: a blank line is missing before the next dn'],
    ['dn: cn=x\nchangetype: delete\n', 'LDIF line 2: only entries to add can be read'],
    ['dn: cn=x\nno colon\n', 'LDIF line 2: an attribute with a colon is expected'],
    ['dn: cn=x\nsn:: a\n', 'LDIF line 2: the value is not base64'],
    ['dn: cn=x\njpegPhoto:< file:///etc/passwd\n', 'LDIF line 2: values from a URL are not read'],
  ])('refuses %j with the line', async (text, detail) => {
    await expect(records(text)).rejects.toMatchObject({ reason: 'invalid_params', detail });
  });

  /** A regular expression with a group in a loop overflows its stack; splitting again at each piece takes minutes. */
  it.each([
    ['a photo of 9 MB', ['dn: cn=x\njpegPhoto:: ', 'A'.repeat(12_000_000)], 9_000_000],
    ['a line that comes a character at a time', ['dn: cn=x\ncn: ', ...'x'.repeat(300_000)], 300_000],
  ])('reads %s', async (_what, pieces, length) => {
    const spent = await processorTime(async () => {
      const [record] = await records(pieces);
      expect([...(record?.attributes.values() ?? [])].flat()[0]?.length).toBe(length);
    });
    expect(spent).toBeLessThan(10_000);
  });

  it('reads a group with a hundred thousand members', async () => {
    const members = Array.from({ length: 100_000 }, (_, n) => `member: uid=${n}\n`);
    const spent = await processorTime(async () => {
      const [record] = await records(`dn: cn=x\n${members.join('')}`);
      expect(record?.attributes.get('member')).toHaveLength(100_000);
    });
    expect(spent).toBeLessThan(10_000);
  });

  it('is refused when a line is endless, or the bytes are not UTF-8', async () => {
    const endless = Array.from({ length: 20 }, () => 'x'.repeat(1024 * 1024));
    await expect(records(endless)).rejects.toMatchObject({ reason: 'too_large' });
    await expect(records([Uint8Array.of(0xff)])).rejects.toMatchObject({ reason: 'invalid_params' });
  });
});

/** Groups values by name. */
function normal(lines: readonly (readonly unknown[])[]): unknown {
  const names = [...new Set(lines.map(([name]) => String(name)))].sort();
  return names.map((name) => [name, lines.filter(([it]) => it === name).map(([, it]) => it)]);
}
