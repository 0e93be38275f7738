/** XML that is made to harm: what it is, a body, and what the refusal says. */
import { envelopeOf } from './echo.ts';

export const echoing = (username: string): string =>
  envelopeOf(`<otpEcho><username>${username}</username></otpEcho>`);

const laughs = Array.from({ length: 9 }, (_, n) => `<!ENTITY l${n + 1} "${`&l${n};`.repeat(10)}">`).join('');
const deep = (levels: number) => echoing('<a>'.repeat(levels) + '</a>'.repeat(levels));

/** @param baitUrl an address that nobody may fetch */
export const hostileXml = (
  baitUrl: () => string,
): readonly (readonly [string, () => string | Uint8Array, RegExp])[] => [
  ['a document type', () => `<!DOCTYPE e>${echoing('alice')}`, /document type/],
  ['a billion laughs', () => `<!DOCTYPE e [<!ENTITY l0 "lol">${laughs}]>${echoing('&l9;')}`, /document type/],
  [
    'quadratic growth',
    () => `<!DOCTYPE e [<!ENTITY a "${'a'.repeat(10_000)}">]>${echoing('&a;'.repeat(15_000))}`,
    /document type/,
  ],
  [
    'a file',
    () => `<!DOCTYPE e [<!ENTITY x SYSTEM "file:///etc/passwd">]>${echoing('&x;')}`,
    /document type/,
  ],
  [
    'an external entity',
    () => `<!DOCTYPE e [<!ENTITY x SYSTEM "${baitUrl()}/entity">]>${echoing('&x;')}`,
    /document type/,
  ],
  [
    'an external document type',
    () => `<!DOCTYPE e SYSTEM "${baitUrl()}/dtd">${echoing('alice')}`,
    /document type/,
  ],
  [
    'a parameter entity',
    () => `<!DOCTYPE e [<!ENTITY % x SYSTEM "${baitUrl()}/parameter"> %x;]>${echoing('alice')}`,
    /document type/,
  ],
  ["an entity that is nobody's", () => echoing('&nbsp;'), /not well-formed/],
  [
    'a processing instruction',
    () => `<?xml-stylesheet href="${baitUrl()}/style"?>${echoing('alice')}`,
    /processing instruction/,
  ],
  [
    'a reference',
    () => envelopeOf(`<otpEcho><username href="${baitUrl()}/reference"/></otpEcho>`),
    /references/,
  ],
  ['deep nesting', () => deep(100), /deeper than 32 levels/],
  ['very deep nesting', () => deep(9000), /deeper than 32 levels/],
  ['nesting without an end', () => '<a>'.repeat(20_000), /deeper than 32 levels/],
  [
    'many attributes',
    () => envelopeOf(`<otpEcho ${Array.from({ length: 1000 }, (_, n) => `a${n}=""`).join(' ')}/>`),
    /more than 64 attributes/,
  ],
  [
    'many namespaces',
    () => envelopeOf(`<otpEcho ${Array.from({ length: 1000 }, (_, n) => `xmlns:a${n}="urn:x"`).join(' ')}/>`),
    /more than 64 attributes/,
  ],
  [
    'many elements',
    () => envelopeOf(`<otpEcho>${'<a/>'.repeat(16_000)}</otpEcho>`),
    /more than 10000 elements/,
  ],
  ['an attribute twice', () => envelopeOf('<otpEcho a="1" a="2"/>'), /not well-formed/],
  ['a prefix that is bound to nothing', () => envelopeOf('<x:otpEcho/>'), /not well-formed/],
  ['tags that cross', () => envelopeOf('<otpEcho><a><b></a></b></otpEcho>'), /not well-formed/],
  ['a second document', () => echoing('alice') + echoing('bob'), /not well-formed/],
  ['an end too early', () => echoing('alice').slice(0, -10), /not well-formed/],
  ['a control character', () => echoing('a\u0000b'), /not well-formed/],
  ['a control character as a number', () => echoing('a&#0;b'), /not well-formed/],
  ['a control character of XML 1.1', () => `<?xml version="1.1"?>${echoing('a&#1;b')}`, /not well-formed/],
  ['half a character as a number', () => echoing('&#xD800;'), /not well-formed/],
  ['bytes that are no UTF-8', () => Buffer.from(echoing('\xff\xfe'), 'latin1'), /not in UTF-8/],
  ['UTF-8 that is too long', () => Buffer.from(echoing('\xc0\xbc'), 'latin1'), /not in UTF-8/],
  ['UTF-16 without a mark', () => Buffer.from(echoing('alice'), 'utf16le'), /byte order mark/],
  ['UTF-16 that breaks off', () => Buffer.from('\ufeff<a/>', 'utf16le').subarray(0, -1), /utf-16/],
  [
    'UTF-16 that is declared and not there',
    () => `<?xml version="1.0" encoding="UTF-16"?>${echoing('alice')}`,
    /encoding 'UTF-16' is not supported/,
  ],
  [
    'UTF-7',
    () => `<?xml version="1.0" encoding="utf-7"?>${echoing('+ADw-')}`,
    /encoding 'utf-7' is not supported/,
  ],
  [
    'an encoding that there is not',
    () => `<?xml version="1.0" encoding="../../etc"?>${echoing('alice')}`,
    /not well-formed/,
  ],
  ['something compressed', () => Buffer.from('1f8b0800000000000003', 'hex'), /byte order mark|not in UTF-8/],
];
