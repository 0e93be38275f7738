/** Mail addresses (`addr-spec`, RFC 5322 §3.4.1), strict enough to be safe in headers and envelopes. */

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const address = new RegExp(`^${atom}(?:\\.${atom})*@${label}(?:\\.${label})*$`);

/** Characters (RFC 5321 §4.5.3.1). */
const [longestLocalPart, longest] = [64, 254];

/** Returns whether a text is a mail address in ASCII, without display name, comment, quotes or address literal. */
export const isMailAddress = (text: string): boolean =>
  text.length <= longest && text.indexOf('@') <= longestLocalPart && address.test(text);
