/** A configuration file as plain data, with the line of each setting. */

import { ConfigError, type ConfigProblem } from '@watchword/core';
import type { Path } from '@watchword/core/operator';
import {
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseDocument,
  type YAMLParseError,
} from 'yaml';

export interface Source {
  readonly data: unknown;
  /** Returns the line of a setting, or of its surroundings if it is missing; undefined for an empty file. */
  lineOf(path: Path): number | undefined;
}

/** @throws ConfigError for what is not YAML: the line and what is wrong, never the text, which may be a secret */
export function readYaml(text: string, name: string): Source {
  const lineCounter = new LineCounter();
  const yaml = bracketLists(text);
  const document = parseDocument(yaml, { lineCounter, prettyErrors: false });
  const line = (offset: number) => lineCounter.linePos(offset).line;
  if (document.errors.length > 0) {
    throw new ConfigError(
      document.errors.map((error) => ({
        ...syntaxProblem(error, yaml),
        where: `${name}, line ${line(error.pos[0])}`,
      })),
    );
  }
  return {
    data: dataOf(document, name),
    lineOf: (path) => {
      const offset = offsetOf(document, path);
      return offset === undefined ? undefined : line(offset);
    },
  };
}

/** Puts lists such as `manager_clients: "a", "b"` into brackets: the interface in the field writes them so, and they are no YAML. */
function bracketLists(text: string): string {
  return text.replace(
    /^([ \t]*[\w.-]+:[ \t]+)("[^"\n]*"(?:[ \t]*,[ \t]*"[^"\n]*")+)[ \t]*(?=#|\r?$)/gm,
    '$1[$2] ',
  );
}

function dataOf(document: Document, name: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 }) ?? {};
  } catch {
    const message = 'has an alias that leads nowhere, or too many of them';
    throw new ConfigError([{ path: [], message, cure: 'write the values out', where: name }]);
  }
}

const sentences = new Map<string, readonly [message: string, cure: string]>([
  ['DUPLICATE_KEY', ['stands there twice', 'keep one of them']],
  ['TAB_AS_INDENT', ['is indented with a tab', 'indent with spaces']],
  ['BAD_INDENT', ['is indented wrongly', 'line it up with its neighbours']],
  ['MISSING_CHAR', ['lacks a character, perhaps a quote, a comma or a bracket', 'complete it']],
  ['MULTIPLE_DOCS', ['is more than one document', 'remove what stands behind "---"']],
]);

/** Words a syntax error; only a repeated key is named. */
function syntaxProblem({ code, pos }: YAMLParseError, text: string): Omit<ConfigProblem, 'where'> {
  const [message, cure] = sentences.get(code) ?? ['is not YAML', 'check quotes, colons and indentation'];
  const key = code === 'DUPLICATE_KEY' ? /^[\w.-]+/.exec(text.slice(pos[0]))?.[0] : undefined;
  return { path: key === undefined ? [] : [key], message, cure };
}

function offsetOf(document: Document, path: Path): number | undefined {
  let node: unknown = document.contents;
  let offset = startOf(node);
  for (const key of path) {
    const found = step(isAlias(node) ? node.resolve(document) : node, key);
    if (!found) break;
    offset = found.offset ?? offset;
    node = found.node;
  }
  return offset;
}

interface Step {
  readonly node: unknown;
  readonly offset: number | undefined;
}

function step(node: unknown, key: string | number): Step | undefined {
  if (isSeq(node)) {
    const item = typeof key === 'number' ? node.items[key] : undefined;
    return item === undefined ? undefined : { node: item, offset: startOf(item) };
  }
  const pair = isMap(node) ? node.items.find((item) => keyText(item.key) === key) : undefined;
  return pair && { node: pair.value, offset: startOf(pair.key) };
}

function keyText(key: unknown): string {
  return String(isScalar(key) ? key.value : key);
}

function startOf(node: unknown): number | undefined {
  return isNode(node) ? node.range?.[0] : undefined;
}
