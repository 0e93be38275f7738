/**
 * Reads a phone number as people write it: with spaces, dots, dashes, slashes, brackets, and `00` for `+`.
 * @returns the number as gateways take it: digits, after `+` if it has a country code (E.164); undefined if the text is no number
 */
export function phoneNumber(text: string): string | undefined {
  if (text.length > 40) return undefined;
  const bare = text.replace(/\(0\)|[\s().\-/]/g, '').replace(/^00/, '+');
  return /^(?:\+[1-9][0-9]{5,14}|[0-9]{3,15})$/.test(bare) ? bare : undefined;
}
