import fc from 'fast-check';
import { expect, it } from 'vitest';
import { systemRandom } from '../../../node/src/machine/index.ts';
import { KeyRing } from '../ports/keys.ts';
import { type StoredMessage, sealMessage, unsealMessage } from './stored-message.ts';

const keys = new KeyRing([Buffer.alloc(32, 7)], systemRandom);

it('opens a stored message as it was sealed, with bytes as bytes', () => {
  const bytes = fc.uint8Array({ maxLength: 100 }).chain((some) => fc.constantFrom(some, Buffer.from(some)));
  fc.assert(
    fc.property(fc.string(), bytes, fc.option(bytes, { nil: undefined }), (text, data, certificate) => {
      const content = { to: 'a@b.c', subject: text, text, certificate, attachments: [{ name: 'a', data }] };
      const stored: StoredMessage = {
        ...{ id: 'aB3dE5fG7hJ9kL1m', message: { way: 'mail', content } },
        sending: { application: 'Otp', transaction: { id: 'ABCD1234', client: '-' } },
        ...{ ends: 10, due: 5, tries: 1 },
      };
      const { message } = unsealMessage(stored.id, sealMessage(stored, 0, keys).value, keys);
      if (message.way !== 'mail') throw new Error('not a mail');
      const [attached] = message.content.attachments;
      expect(attached?.data).toBeInstanceOf(Uint8Array);
      expect([...(attached?.data ?? [])]).toEqual([...data]);
      expect(message.content.certificate && [...message.content.certificate]).toEqual(
        certificate && [...certificate],
      );
      expect([message.content.subject, message.content.text]).toEqual([text, text]);
    }),
  );
});
