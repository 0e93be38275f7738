/** The confirmation of a scan: who can show a code has read the secret in the QR code. */
import type { Account } from './account.ts';

/** @returns code 1: confirmed; 0: not */
export async function confirm(
  { endpoint, session }: Account,
  otp: string,
  pincode?: string,
): Promise<{ readonly code: 0 | 1; readonly message: string }> {
  if (!endpoint?.startsWith('https:')) throw new Error('The QR code names no place to confirm it at');
  const body = JSON.stringify({ session, otp, pincode, device: { model: 'Soft token' } });
  const headers = { 'content-type': 'application/json' };
  const response = await fetch(endpoint, { method: 'POST', headers, body });
  if (!response.ok) throw new Error(`${endpoint} answers HTTP ${response.status}`);
  return response.json();
}
