/** Files that are signed: what poppler and openssl say of them. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { PDFDocument } from '@cantoo/pdf-lib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CertificateAuthority, SignatureForm } from '../../../core/src/ports/authority.ts';
import { run, scratchFolder } from '../../../core/src/testing/bed/scratch.ts';
import { systemClock, systemRandom } from '../../../node/src/machine/index.ts';
import { createAuthority, openAuthority } from '../index.ts';
import { PdfUpdater } from './updater.ts';

let folder: string;
let authority: CertificateAuthority;
beforeAll(async () => {
  folder = await scratchFolder('signed-pdf');
  const ports = { clock: systemClock, random: systemRandom };
  const pair = await createAuthority({ commonName: 'Example CA', days: 30 }, ports);
  authority = await openAuthority(pair, ports);
  await writeFile(at('ca.pem'), pair.certificate);
});
afterAll(() => rm(folder, { recursive: true }));
const at = (name: string): string => join(folder, name);

const order = {
  subject: [
    { type: '2.5.4.3', value: 'Default\\Zoë' },
    { type: '2.5.4.13', value: 'SIGNATURE' },
  ],
  ...{ days: 30, listUrl: 'http://localhost/crl', statusUrl: 'http://localhost/ocsp' },
};
const sign = (content: Uint8Array, form: SignatureForm) => authority.sign(content, { ...order, form });

async function pdf(options: object): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage([300, 200]).drawText('The contract.', { x: 20, y: 100 });
  document.getForm().createTextField('a field').addToPage(document.getPage(0));
  return document.save(options);
}
const sigs = async (bytes: Uint8Array): Promise<string> => {
  await writeFile(at('signed.pdf'), bytes);
  return (await run('pdfsig', ['-nocert', at('signed.pdf')])).stdout;
};

describe.each([
  ['with a table of objects', { useObjectStreams: false }],
  ['with streams of objects', { useObjectStreams: true }],
])('a PDF %s', (_, options) => {
  it('is signed as PAdES, and its bytes stay as they were', async () => {
    const plain = await pdf(options);
    const { signed } = await sign(plain, 'pdf');
    expect(Buffer.from(signed).subarray(0, plain.length).equals(Buffer.from(plain))).toBe(true);
    const result = await sigs(signed);
    expect(result).toContain('Signature Validation: Signature is Valid.');
    expect(result).toContain('Signature Type: ETSI.CAdES.detached');
    expect(result).toContain('Total document signed');
    expect(result).toContain('Common Name: Default\\\\Zoë');
    expect(await cmsOf(Buffer.from(signed))).toContain('Verification successful');
  });

  it('is signed by several, one after the other', async () => {
    const once = (await sign(await pdf(options), 'pdf')).signed;
    const result = await sigs((await sign(once, 'pdf')).signed);
    expect(result.match(/Signature Validation: Signature is Valid\./g)).toHaveLength(2);
  });

  it('that was changed afterwards is found out', async () => {
    const bytes = Buffer.from((await sign(await pdf(options), 'pdf')).signed);
    const text = bytes.indexOf('/Type');
    bytes[text + 1] = (bytes[text + 1] ?? 0) ^ 32;
    expect(await sigs(bytes)).not.toContain('Signature is Valid');
  });
});

/** The CMS within, over what its ranges name. */
async function cmsOf(bytes: Buffer): Promise<string> {
  const [, from = '', to = '', rest = ''] =
    /\/ByteRange \[ 0 (\d+) (\d+) (\d+) \]/.exec(bytes.toString('latin1')) ?? [];
  const hexadecimal = bytes.toString('latin1', Number(from) + 1, Number(to) - 1);
  const der = Buffer.from(hexadecimal, 'hex');
  await writeFile(at('signature.der'), der.subarray(0, 4 + der.readUInt16BE(2)));
  await writeFile(
    at('content'),
    Buffer.concat([bytes.subarray(0, Number(from)), bytes.subarray(Number(to), Number(to) + Number(rest))]),
  );
  return verify('signature.der', ['-content', at('content')]);
}

async function verify(name: string, more: readonly string[]): Promise<string> {
  const args = [
    'cms',
    '-verify',
    '-cades',
    '-binary',
    '-inform',
    'DER',
    '-in',
    at(name),
    '-CAfile',
    at('ca.pem'),
  ];
  return (await run('openssl', [...args, '-purpose', 'any', '-out', at('out'), ...more])).stderr;
}

it('other files are CMS with the content, or without it, and name their certificate (CAdES)', async () => {
  const content = Buffer.from('The contract.\r\n');
  await writeFile(at('whole.der'), (await sign(content, 'enveloping')).signed);
  expect(await verify('whole.der', [])).toContain('successful');
  expect(await readFile(at('out'))).toEqual(content);
  const { signed } = await sign(content, 'detached');
  expect(Buffer.from(signed).includes(content)).toBe(false);
  await writeFile(at('apart.der'), signed);
  await writeFile(at('text'), content);
  expect(await verify('apart.der', ['-content', at('text')])).toContain('successful');
  await writeFile(at('text'), 'Another contract.');
  await expect(verify('apart.der', ['-content', at('text')])).rejects.toThrow();
});

describe('no signature is put into', () => {
  const bomb = deflateSync(Buffer.alloc(100_000_000));
  const twice = deflateSync(bomb);
  const within = (packed: Buffer) =>
    Buffer.concat([
      Buffer.from('%PDF-1.7\n1 0 obj\n<< /Type /ObjStm >>\nstream\n'),
      packed,
      Buffer.from('\nendstream\nendobj\n'),
    ]);

  it.each([
    ['what is none', Buffer.from('%PDF-1.7\nThe contract.')],
    ['what unpacks to much more', within(bomb)],
    ['what unpacks to what unpacks to much more', within(twice)],
  ])('%s', async (_, content) => {
    await expect(authority.assertSignable(content, 'pdf')).rejects.toMatchObject({
      reason: 'invalid_params',
    });
  });

  it('a place that somebody else has left for it', async () => {
    const wide = '9999999999';
    const trap = `%%/ByteRange [ ${wide} ${wide} ${wide} ${wide} ]%/Contents <${'0'.repeat(24_576)}>%`;
    const document = await PDFDocument.create();
    document.addPage().drawText('x');
    const bytes = Buffer.from(await document.save({ useObjectStreams: false }));
    const trapped = Buffer.concat([bytes.subarray(0, 9), Buffer.from(trap), bytes.subarray(8)]);
    const { signed } = await sign(trapped, 'pdf');
    expect(await sigs(signed)).toContain('Signature Validation: Signature is Valid.');
  });

  it('what keeps the library busy: its process is ended', async () => {
    const busy = Buffer.concat([Buffer.from(await pdf({})), Buffer.alloc(1_000_000, '%\n<0')]);
    const wanted = { pdf: busy, named: 'x', now: 0, longest: 10, wide: 1 };
    expect(await new PdfUpdater().update(wanted, 1000)).toBeUndefined();
  });
});
