/** Text on its way into XML 1.0. */

/** No markup, and only characters that XML can hold (§2.2); a carriage return would come out as a line feed. */
export function escapeXml(text: string): string {
  return text.replace(notInXml, '\ufffd').replace(/[&<>"\r]/g, (character) => entities[character] ?? '');
}

const notInXml = /[^\t\n\r\u{20}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
};
