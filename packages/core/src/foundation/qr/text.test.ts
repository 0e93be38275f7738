/** QR codes in a terminal. */
import { describe, expect, it } from 'vitest';
import { readQrText } from '../../testing/bed/engines/qr-reader.ts';
import { qrText } from './text.ts';

const uri = 'otpauth://totp/Alice?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ';

describe('a QR code as text', () => {
  it.each(['dark', 'light'] as const)('is read from a %s terminal when it has colours', async (theme) => {
    expect(await readQrText(qrText(uri, { colours: true }), theme)).toBe(uri);
    expect(await readQrText(qrText(uri, { colours: true, margin: 1 }), theme)).toBe(uri);
  });

  it('is read from a dark terminal without colours', async () => {
    expect(await readQrText(qrText(uri), 'dark')).toBe(uri);
  });

  it('has only half blocks, in lines of one width that end in line feeds', () => {
    // 60 characters fit version 4: 33 modules, and 4 around them
    expect(qrText(uri)).toMatch(/^(?:[█▀▄ ]{41}\n){21}$/);
  });

  it('resets the colours of the terminal at the end of every line', () => {
    for (const line of qrText(uri, { colours: true }).trimEnd().split('\n')) {
      expect(line).toMatch(/^\x1b\[38;5;231;48;5;16m[█▀▄ ]+\x1b\[0m$/);
    }
  });
});
