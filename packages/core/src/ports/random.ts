/** Randomness, as an input like any other: cryptographically strong in every adapter but the tests'. */
export interface Random {
  bytes(length: number): Uint8Array;
}

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

/** `length` characters of `[0-9A-Z]`, each as likely as the others: the form of ids in the event log. */
export function randomWord(random: Random, length: number): string {
  let word = '';
  while (word.length < length) {
    for (const byte of random.bytes(length)) {
      if (byte < 252 && word.length < length) word += alphabet[byte % 36];
    }
  }
  return word;
}
