/** Reads a cookie (RFC 6265 §5.4). @param header the header `Cookie` @returns undefined where there is none of this name */
export function readCookie(header: string | null, name: string): string | undefined {
  for (const pair of (header ?? '').split(';')) {
    const [given, value] = pair.trim().split('=', 2);
    if (given === name) return value;
  }
  return undefined;
}
