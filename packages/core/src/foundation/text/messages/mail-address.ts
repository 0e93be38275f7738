/** One mail address (`addr-spec`, RFC 5322 §3.4.1), so that nothing else gets into a header or an envelope. */

const atom = "[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+";
const label = '[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?';
const address = new RegExp(`^${atom}(?:\\.${atom})*@${label}(?:\\.${label})*$`);

/** RFC 5321 §4.5.3.1: in characters. */
const [longestLocalPart, longest] = [64, 254];

/** ASCII, without a display name, a comment, quotes or an address literal: all that mail systems take from each other in practice. */
export const isMailAddress = (text: string): boolean =>
  text.length <= longest && text.indexOf('@') <= longestLocalPart && address.test(text);
