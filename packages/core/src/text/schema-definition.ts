/** Reads schema definitions in the notation of RFC 4512 §4.1, as the files in `schema/` hold them. */

/** `( oid NAME 'x' SUP y … )`: the fields that have values, and the words that have none (`SINGLE-VALUE`). */
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

/** Definitions that follow one another, each as a text of its own. */
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

/** Reads definitions that follow one another, each in parentheses. */
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

/** Definitions by any of their names, in lower case, and by OID. */
export function byAnyName(definitions: readonly Definition[]): ReadonlyMap<string, Definition> {
  const named = definitions.flatMap((one) =>
    [one.oid, ...namesOf(one)].map((name) => [name.toLowerCase(), one] as const),
  );
  return new Map(named);
}

/** A definition and all that it is derived from, each once: a server's own schema might go in a circle. */
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

/** Returns the OID of an attribute's syntax, RFC 4517, which a type inherits; empty where none is told. */
export function syntaxOf(line: readonly Definition[]): string {
  const told = line.map(({ fields }) => fields.get('SYNTAX')?.[0]).find((value) => value !== undefined);
  // RFC 4512 §4.1.2: `{64}` behind it is a length that servers may ignore.
  return told?.replace(/\{\d+\}$/, '') ?? '';
}

/** Index of the parenthesis that closes the one at `start`. */
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
