/** Docstrings of the exports that packages publish: their tags, and the examples in them. */
import { readdirSync } from 'node:fs';
import ts from 'typescript';
import { root, textOf } from './blocks.ts';

/** An export, or a static member of an exported class. */
export interface Published {
  /** The specifier and the name: `@watchword/core Dn.parse`. */
  readonly name: string;
  /** The number of parameters; 0 for anything that is not a function. */
  readonly parameters: number;
  /** Whether a call has a value, of its own or of its promise. */
  readonly hasValue: boolean;
  /** The number of different `@param` tags. */
  readonly described: number;
  readonly describesValue: boolean;
  /** The code of each `@example`, without its fence. */
  readonly examples: readonly string[];
}

/** Returns the source of each specifier that a package publishes: `@watchword/core/http` → its file. */
function publishedFiles(): ReadonlyMap<string, string> {
  const files = readdirSync(`${root}packages`).flatMap((folder) => {
    const { name, exports } = JSON.parse(textOf(`packages/${folder}/package.json`));
    return Object.entries<Record<string, string>>(exports)
      .filter(([, entry]) => entry.types !== undefined)
      .map(([path, entry]) => [
        `${name}${path.slice(1)}`,
        `${root}packages/${folder}/${entry['watchword-source']}`,
      ]);
  });
  return new Map(files as [string, string][]);
}

/** Reads every export of every package, by {@link Published.name}. */
export function readPublished(): ReadonlyMap<string, Published> {
  const files = publishedFiles();
  const parsed = ts.parseJsonConfigFileContent(
    { extends: './tsconfig.json', files: [] },
    ts.sys,
    root.slice(0, -1),
  );
  const program = ts.createProgram([...files.values()], parsed.options);
  const checker = program.getTypeChecker();
  const found = [...files].flatMap(([specifier, file]) => {
    const source = program.getSourceFile(file);
    const module = source && checker.getSymbolAtLocation(source);
    if (!module) throw new Error(`${file} exports nothing`);
    return checker.getExportsOfModule(module).flatMap((symbol) => publishedIn(symbol, specifier, checker));
  });
  return new Map(found.map((one) => [one.name, one]));
}

function publishedIn(exported: ts.Symbol, specifier: string, checker: ts.TypeChecker): readonly Published[] {
  const isAlias = (exported.flags & ts.SymbolFlags.Alias) !== 0;
  const symbol = isAlias ? checker.getAliasedSymbol(exported) : exported;
  const name = `${specifier} ${exported.name}`;
  const statics = symbol.flags & ts.SymbolFlags.Class ? checker.getTypeOfSymbol(symbol).getProperties() : [];
  return [
    describeSymbol(symbol, name, checker),
    ...statics.map((one) => describeSymbol(one, `${name}.${one.name}`, checker)),
  ];
}

function describeSymbol(symbol: ts.Symbol, name: string, checker: ts.TypeChecker): Published {
  const isValue = (symbol.flags & ts.SymbolFlags.Value) !== 0;
  const calls = isValue ? checker.getTypeOfSymbol(symbol).getCallSignatures() : [];
  const tags = symbol.getJsDocTags(checker).map((tag) => ({
    ...{ name: tag.name, text: ts.displayPartsToString(tag.text) },
  }));
  const described = tags.filter((tag) => tag.name === 'param').map(({ text }) => /^[\w$]+/.exec(text)?.[0]);
  return {
    name,
    parameters: Math.max(0, ...calls.map((call) => call.getParameters().length)),
    hasValue: calls.some((call) => !/^(?:Promise<)?void\b/.test(checker.typeToString(call.getReturnType()))),
    described: new Set(described).size,
    describesValue: tags.some((tag) => tag.name === 'returns' && tag.text !== ''),
    examples: tags.filter((tag) => tag.name === 'example').map(({ text }) => codeIn(text)),
  };
}

const codeIn = (text: string): string => /^```ts\n([\s\S]*?\n)```$/.exec(text.trim())?.[1] ?? text;

/** Returns the tags that a whole docstring of this export would have, and that are missing. */
export function missingTags(one: Published): readonly string[] {
  return [
    ...(one.examples.length === 0 ? ['@example'] : []),
    ...(one.described < one.parameters ? ['@param'] : []),
    ...(one.hasValue && !one.describesValue ? ['@returns'] : []),
  ];
}
