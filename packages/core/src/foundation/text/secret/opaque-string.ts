/**
 * Normalizes a password by the profile OpaqueString (RFC 8265 §4.2): all spaces become ASCII, and characters are composed (NFC). Case and
 * width are kept.
 */
export const opaqueString = (password: string): string => password.replace(/\p{Zs}/gu, ' ').normalize('NFC');
