/** Schema definitions in the notation of RFC 4512 §4.1. */

/** A definition `( oid NAME 'x' SUP y … )`: fields have values, flags (`SINGLE-VALUE`) have none. */
export interface Definition {
  readonly oid: string;
  readonly fields: ReadonlyMap<string, readonly string[]>;
  readonly flags: ReadonlySet<string>;
}

const flagWords = new Set([
  'SINGLE-VALUE',
  'NO-USER-MODIFICATION',
  'COLLECTIVE',
  'OBSOLETE',
  'ABSTRACT',
  'STRUCTURAL',
  'AUXILIARY',
]);

/** Splits a sequence of definitions into their texts. */
export function splitDefinitions(text: string): string[] {
  const tokens = tokensOf(text);
  const texts: string[] = [];
  for (let at = 0; at < tokens.length; ) {
    const end = endOf(tokens, at);
    texts.push(tokens.slice(at, end + 1).join(' '));
    at = end + 1;
  }
  return texts;
}

const tokensOf = (text: string): readonly string[] => text.match(/[()$]|'[^']*'|[^\s()$']+/g) ?? [];

/** Reads a sequence of definitions, each in parentheses. */
export function parseDefinitions(text: string): Definition[] {
  const tokens = tokensOf(text).filter((token) => token !== '$');
  const definitions: Definition[] = [];
  for (let at = 0; at < tokens.length; ) {
    const end = endOf(tokens, at);
    definitions.push(readDefinition(tokens.slice(at + 1, end)));
    at = end + 1;
  }
  return definitions;
}

export function namesOf(definition: Definition): readonly string[] {
  return definition.fields.get('NAME') ?? [];
}

/** Indexes definitions by all their names, in lower case, and by OID. */
export function byAnyName(definitions: readonly Definition[]): ReadonlyMap<string, Definition> {
  const named = definitions.flatMap((one) =>
    [one.oid, ...namesOf(one)].map((name) => [name.toLowerCase(), one] as const),
  );
  return new Map(named);
}

/** Returns a definition and all its superiors, each once: the schema of a server may be circular. */
export function lineage(
  definition: Definition,
  byName: ReadonlyMap<string, Definition>,
): readonly Definition[] {
  const line = new Set([definition]);
  for (const one of line) {
    for (const above of one.fields.get('SUP') ?? []) {
      const found = byName.get(above.toLowerCase());
      if (found) line.add(found);
    }
  }
  return [...line];
}

/** Returns the OID of an attribute's syntax, RFC 4517, which a type inherits; empty where it has none. */
export function syntaxOf(line: readonly Definition[]): string {
  const syntax = line.map(({ fields }) => fields.get('SYNTAX')?.[0]).find((value) => value !== undefined);
  // A length `{64}` after the OID may be ignored (RFC 4512 §4.1.2).
  return syntax?.replace(/\{\d+\}$/, '') ?? '';
}

/** Returns the index of the parenthesis that closes the one at `start`. */
function endOf(tokens: readonly string[], start: number): number {
  let depth = 0;
  for (let at = start; at < tokens.length; at += 1) {
    if (tokens[at] === '(') depth += 1;
    if (tokens[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return tokens.length;
}

function readDefinition([oid = '', ...rest]: readonly string[]): Definition {
  const fields = new Map<string, string[]>();
  const flags = new Set<string>();
  for (let at = 0; at < rest.length; ) {
    const word = rest[at] ?? '';
    if (flagWords.has(word)) {
      flags.add(word);
      at += 1;
      continue;
    }
    const end = rest[at + 1] === '(' ? endOf(rest, at + 1) : at + 1;
    fields.set(word, rest.slice(at + 1, end + 1).flatMap(unquote));
    at = end + 1;
  }
  return { oid, fields, flags };
}

function unquote(token: string): string[] {
  return token === '(' || token === ')' ? [] : [token.replace(/^'|'$/g, '')];
}

const standard = '1.3.6.1.4.1.1466.115.121.1.';

/**
 * The last arcs of binary syntaxes (RFC 2252 §4.3.2, RFC 4517 §3.3): access control item, audio, binary, certificate, certificate list,
 * certificate pair, fax, JPEG, octet string, supported algorithm.
 */
const standardBinary = ['1', '4', '5', '8', '9', '10', '23', '28', '40', '49'];

/** Syntaxes of PKCS #8 keys and attribute certificates (OpenLDAP), and security descriptors (Active Directory, [MS-ADTS] §3.1.1.3.1.1.1). */
const vendorBinary = ['1.2.840.113549.1.8.1.1', '1.3.6.1.4.1.4203.666.11.10.2.1', '1.2.840.113556.1.4.907'];

const binarySyntaxes = new Set([...standardBinary.map((last) => standard + last), ...vendorBinary]);

export type BinaryAttributeNames = ReadonlyMap<string, readonly string[]>;

/** Maps each name and OID of a binary attribute, in lower case, to all its names. */
export function binaryAttributeNames(attributeTypes: readonly string[]): BinaryAttributeNames {
  const definitions = attributeTypes.flatMap(parseDefinitions);
  const byName = byAnyName(definitions);
  const binary = definitions.filter((one) => binarySyntaxes.has(syntaxOf(lineage(one, byName))));
  const named = binary.map((one) => [one.oid, ...namesOf(one)].map((name) => name.toLowerCase()));
  return new Map(named.flatMap((names) => names.map((name) => [name, names] as const)));
}
