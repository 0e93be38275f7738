/** Names of browsers (RFC 9110 §10.1.5) in words that people know; unknown ones are shown unchanged. */
const browsers = [
  ['Edge', /\bEdgA?\//],
  ['Opera', /\bOPR\//],
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

type Known = readonly (readonly [name: string, form: RegExp])[];

const nameIn = (known: Known, text: string): string | undefined =>
  known.find(([, form]) => form.test(text))?.[0];

export function programName(text: string): string {
  const browser = nameIn(browsers, text);
  if (browser === undefined) return text;
  const system = nameIn(systems, text);
  return system === undefined ? browser : `${browser} · ${system}`;
}
