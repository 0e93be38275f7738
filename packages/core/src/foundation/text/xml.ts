/** Escapes text for XML 1.0; characters that XML cannot hold (§2.2) become U+FFFD. A bare carriage return would be read as a line feed. */
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
