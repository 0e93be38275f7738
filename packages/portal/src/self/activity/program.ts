/** Names browsers and systems by their User-Agent header (RFC 9110 §10.1.5), for the lists of sessions and logins; unknown ones stay unchanged. */
const browsers = [
  ['Edge', /\bEdg(?:A|iOS)?\//],
  ['Opera', /\b(?:OPR|OPT|OPiOS)\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:HeadlessChrome|Chrome|CriOS)\//],
  ['Safari', /\bVersion\/.*\bSafari\//],
] as const;

const systems = [
  ['Windows', /\bWindows NT\b/],
  ['Android', /\bAndroid\b/],
  ['iOS', /\b(?:iPhone|iPad|iPod)\b/],
  ['macOS', /\bMacintosh\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const;

type Known = readonly (readonly [name: string, pattern: RegExp])[];

const nameIn = (known: Known, text: string): string | undefined =>
  known.find(([, pattern]) => pattern.test(text))?.[0];

/** Returns a name such as `Firefox · Linux`. @param text the User-Agent header */
export function browserName(text: string): string {
  const browser = nameIn(browsers, text);
  if (browser === undefined) return text;
  const system = nameIn(systems, text);
  return system === undefined ? browser : `${browser} · ${system}`;
}
