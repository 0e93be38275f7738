/** Values are read as they were written: any text that XML can hold, any bytes, lists, numbers and booleans. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { bytesField, flagField, integerField, listField, textField } from '../../../table/field.ts';
import type { Fields } from '../../../table/operation.ts';
import { fieldReader, fieldWriter } from '../fields.ts';
import { decodeXml } from './encoding.ts';
import { readSoap } from './request.ts';
import { writeSoap } from './response.ts';

const rows: Fields = {
  text: textField,
  count: integerField,
  flag: flagField,
  bytes: bytesField,
  list: listField,
};

/** XML 1.0 §2.2; an empty text counts as none. */
const character = fc
  .oneof(
    fc.constantFrom('<', '&', '"', "'", '>', ']]>', '\r', '\n', '\t', ' ', '\u0085', '\ufeff'),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 2 }),
  )
  .filter((text) => !/[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u.test(text));
const text = fc.array(character, { minLength: 1, maxLength: 20 }).map((parts) => parts.join(''));
const some = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });

const values = fc.record({
  text: some(text),
  count: some(fc.nat(999_999_999)),
  flag: some(fc.boolean()),
  bytes: some(fc.uint8Array({ minLength: 1, maxLength: 50 }).map((bytes) => Buffer.from(bytes))),
  list: some(fc.array(text, { minLength: 1, maxLength: 4 })),
});

it('comes back through SOAP as it was', async () => {
  await fc.assert(
    fc.asyncProperty(values, async (sent) => {
      const xml = writeSoap({ operation: 'otpEcho', namespace: 'urn:otp', fields: fieldWriter(rows)(sent) });
      const { operation, given } = await readSoap(decodeXml(Buffer.from(xml), 'text/xml'), { depth: 8 });
      expect(operation).toBe('otpEchoResponse');
      expect(fieldReader(rows)(given)).toEqual(sent);
    }),
    { numRuns: 1000 },
  );
});

it('comes through in any of the encodings that hold it', () => {
  const latin = fc.string({
    unit: fc.integer({ min: 0xa0, max: 0xff }).map((code) => String.fromCharCode(code)),
    minLength: 1,
  });
  fc.assert(
    fc.property(
      latin,
      fc.constantFrom('utf8' as const, 'utf16le' as const, 'latin1' as const),
      (sent, encoding) => {
        const declared = { utf8: 'UTF-8', utf16le: 'UTF-16', latin1: 'ISO-8859-1' }[encoding];
        const mark = encoding === 'utf16le' ? '\ufeff' : '';
        const bytes = Buffer.from(
          `${mark}<?xml version='1.0' encoding='${declared}'?><a>${sent}</a>`,
          encoding,
        );
        expect(decodeXml(bytes, 'text/xml; charset=utf-8')).toContain(`<a>${sent}</a>`);
      },
    ),
  );
});

it('reads any bytes in words or refuses them in words', async () => {
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.string(), async (bytes, type) => {
      let refusal: unknown;
      try {
        await readSoap(decodeXml(bytes, type), { depth: 8 });
      } catch (error) {
        refusal = error;
      }
      expect(refusal).toMatchObject({
        name: 'ServiceError',
        reason: expect.stringMatching(/^(?:parse_error|invalid_request)$/),
      });
    }),
  );
});
