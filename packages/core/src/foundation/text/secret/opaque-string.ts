/** Passwords as people mean them, however a keyboard or a phone has written them: the profile OpaqueString of RFC 8265 §4.2. */

/**
 * One form of a password: spaces of every kind are the one of ASCII, and characters are composed (NFC).
 * Upper and lower case, and full and half width, stay.
 */
export const opaqueString = (password: string): string => password.replace(/\p{Zs}/gu, ' ').normalize('NFC');
