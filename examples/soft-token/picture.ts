/** QR codes in pictures: files of GIF, JPG and PNG, screenshots and photographs as well. */
import { readFile } from 'node:fs/promises';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';

/** @returns the text of the QR code; for a short address (`tinyurl`) what stands behind it */
export async function readQrCode(picture: string): Promise<string> {
  // Without this zxing-wasm would download its other half.
  const wasmBinary = await readFile(new URL(import.meta.resolve('zxing-wasm/reader/zxing_reader.wasm')));
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(wasmBinary).buffer } });
  const [code] = await readBarcodes(await readFile(picture), { formats: ['QRCode'] });
  if (!code?.isValid) throw new Error(`There is no QR code in ${picture}`);
  return code.text.startsWith('https:') ? await fetchUri(code.text) : code.text;
}

async function fetchUri(address: string): Promise<string> {
  const response = await fetch(address);
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}
