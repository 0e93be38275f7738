/** Phone numbers, as people write them on entries and as gateways take them. */

/**
 * Digits alone, `+` before them where the number begins with its country (E.164: at most 15 digits). Spaces, dots, dashes, slashes and
 * brackets are what people write between; `00` is `+`.
 * @returns undefined: it is no phone number
 */
export function phoneNumber(text: string): string | undefined {
  if (text.length > 40) return undefined;
  const bare = text.replace(/\(0\)|[\s().\-/]/g, '').replace(/^00/, '+');
  return /^(?:\+[1-9][0-9]{5,14}|[0-9]{3,15})$/.test(bare) ? bare : undefined;
}
