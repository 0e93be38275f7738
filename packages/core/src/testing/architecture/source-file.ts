/** Source files as the architecture test reads them: what they import, which names and texts are in them. */
import { readdirSync, readFileSync } from 'node:fs';
import { posix } from 'node:path';
import ts from 'typescript';
import { secretComparisonOf } from './secret-comparisons.ts';

/** Members of the compiler, copied as each access to the module goes through Vitest. */
const {
  SyntaxKind,
  forEachChild,
  isArrayLiteralExpression,
  isBinaryExpression,
  isBindingElement,
  isCallExpression,
  isClassDeclaration,
  isElementAccessExpression,
  isExportDeclaration,
  isIdentifier,
  isImportDeclaration,
  isImportTypeNode,
  isInterfaceDeclaration,
  isLiteralTypeNode,
  isNamedImports,
  isNewExpression,
  isObjectBindingPattern,
  isPropertyAccessExpression,
  isSourceFile,
  isStringLiteral,
  isStringLiteralLike,
  isTemplateHead,
  isTemplateMiddleOrTemplateTail,
  isTypeAliasDeclaration,
  isVariableStatement,
} = ts;

export interface Import {
  /** A module: `core/foundation/text`, `core/config`, `client`; for others the specifier, `node:fs` or `zod`. */
  readonly of: string;
  /** The file, if it is one of ours and named by its path. */
  readonly file?: string;
  /** Only types: gone when the program runs. */
  readonly isType: boolean;
  /** Imported names. */
  readonly names: readonly string[];
}

export interface SourceFile {
  /** From the root of the repository, with `/`. */
  readonly path: string;
  /** Its room, without `.ts` where that is a file. */
  readonly module: string;
  readonly lines: number;
  readonly imports: readonly Import[];
  /** Names in the code and texts in quotes, comments left out: `Date.now`, `new Date()`, `instanceof Dn`, `Get_User_DN`. */
  readonly words: ReadonlySet<string>;
  /** Names of the types that it exports, classes too. */
  readonly types: ReadonlySet<string>;
  /** Words of texts in quotes: `Otp.LoginMode`, `LoginMode`. */
  readonly quoted: ReadonlySet<string>;
  /** Members of objects that are read: `x` of `settings.x`, `const { x } = …` and `({ x: y }) => …`. */
  readonly reads: ReadonlySet<string>;
  /** Names of variables of the module, and of collections that begin empty: what the module keeps between two calls. */
  readonly kept: readonly string[];
  /** Comparisons of secrets whose time tells how much of a guess was right, as they are written. */
  readonly secretComparisons: readonly string[];
}

const root = new URL('../../../../../', import.meta.url);

/** Every TypeScript file below the `src` of every package, or those whose paths are wanted: to read all takes seconds. */
export function readSources(isWanted: (path: string) => boolean = () => true): SourceFile[] {
  return readdirSync(new URL('packages/', root)).flatMap((name) =>
    readFolder(`packages/${name}/src`, isWanted),
  );
}

function readFolder(folder: string, isWanted: (path: string) => boolean): SourceFile[] {
  return readdirSync(new URL(folder, root), { recursive: true, encoding: 'utf8' })
    .map((name) => posix.join(folder, name.replaceAll('\\', '/')))
    .filter((path) => /\.tsx?$/.test(path) && isWanted(path))
    .map((path) => parseSource(path, readFileSync(new URL(path, root), 'utf8')));
}

export function parseSource(path: string, text: string): SourceFile {
  const imports: Import[] = [];
  const words = new Set<string>();
  const types = new Set<string>();
  const quoted = new Set<string>();
  const reads = new Set<string>();
  const kept: string[] = [];
  const secretComparisons: string[] = [];
  const visit = (node: ts.Node): void => {
    const imported = importOf(node, path);
    if (imported) imports.push(imported);
    for (const word of wordsOf(node)) words.add(word);
    for (const word of quotedIn(node)) quoted.add(word);
    const type = exportedType(node);
    if (type !== undefined) types.add(type);
    const read = readOf(node);
    if (read !== undefined) reads.add(read);
    kept.push(...keptIn(node));
    const comparison = secretComparisonOf(node);
    if (comparison !== undefined) secretComparisons.push(comparison);
    forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.ESNext, true));
  const lines = text.split('\n').length - 1;
  return {
    path,
    module: moduleOf(path),
    lines,
    imports,
    words,
    types,
    quoted,
    reads,
    kept,
    secretComparisons,
  };
}

/** Returns the module of a path: `packages/core/src/doors/web/door.ts` → `core/doors/web`; `packages/client/src/safe.ts` → `client`. */
function moduleOf(path: string): string {
  const [, name = path.split('/', 1)[0] ?? '', rest = ''] = /^packages\/([^/]+)\/src\/(.*)$/.exec(path) ?? [];
  if (name !== 'core') return name;
  const inside =
    /^(?:administration|applications|doors|foundation)\/[^/.]+|^directory\/store-binding|^[^/.]+/.exec(rest);
  return `core/${inside?.[0] ?? rest}`;
}

function importOf(node: ts.Node, from: string): Import | undefined {
  const specifier = specifierOf(node);
  if (specifier === undefined) return undefined;
  const clause = isImportDeclaration(node) ? node.importClause : undefined;
  const bindings = clause?.namedBindings;
  const elements = bindings && isNamedImports(bindings) ? [...bindings.elements] : [];
  const isWhole = clause?.name !== undefined || (bindings !== undefined && elements.length === 0);
  const isType =
    (isExportDeclaration(node) && node.isTypeOnly) ||
    clause?.phaseModifier === SyntaxKind.TypeKeyword ||
    (!isWhole && elements.length > 0 && elements.every((element) => element.isTypeOnly));
  const names = elements.filter((element) => !element.isTypeOnly).map(({ name }) => name.text);
  return { ...targetOf(specifier, from), isType, names };
}

/** Returns the specifier of `import … from`, `export … from`, `import('…')` and a type `import('…')`. */
function specifierOf(node: ts.Node): string | undefined {
  if (isImportDeclaration(node) || isExportDeclaration(node)) return textOf(node.moduleSpecifier);
  if (isImportTypeNode(node))
    return isLiteralTypeNode(node.argument) ? textOf(node.argument.literal) : undefined;
  const isDynamic = isCallExpression(node) && node.expression.kind === SyntaxKind.ImportKeyword;
  return isDynamic ? textOf(node.arguments[0]) : undefined;
}

const textOf = (node: ts.Node | undefined): string | undefined =>
  node && isStringLiteral(node) ? node.text : undefined;

function targetOf(specifier: string, from: string): { of: string; file?: string } {
  if (specifier.startsWith('.')) {
    const file = posix.join(posix.dirname(from), specifier);
    return { of: moduleOf(file), file };
  }
  const own = fileOf(specifier);
  if (own !== undefined) return { of: moduleOf(own), file: own };
  return { of: /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0] ?? specifier };
}

/** The source that a package of ours has under this subpath. */
function fileOf(specifier: string): string | undefined {
  const [, name, rest = ''] = /^@watchword\/([^/]+)(\/.+)?$/.exec(specifier) ?? [];
  if (name === undefined) return undefined;
  const manifest = readFileSync(new URL(`packages/${name}/package.json`, root), 'utf8');
  const source: unknown = JSON.parse(manifest).exports?.[`.${rest}`]?.['watchword-source'];
  return typeof source === 'string' ? posix.join('packages', name, source) : `packages/${name}/src/index.ts`;
}

function readOf(node: ts.Node): string | undefined {
  if (isPropertyAccessExpression(node)) return node.name.text;
  if (isElementAccessExpression(node)) return textOf(node.argumentExpression);
  if (!isBindingElement(node) || !isObjectBindingPattern(node.parent)) return undefined;
  const name = node.propertyName ?? node.name;
  return node.dotDotDotToken || !isIdentifier(name) ? undefined : name.text;
}

function wordsOf(node: ts.Node): readonly string[] {
  if (isIdentifier(node)) return [node.text];
  if (isPropertyAccessExpression(node)) return [node.getText()];
  if (isNewExpression(node)) return [node.getText()];
  if (isBinaryExpression(node) && node.operatorToken.kind === SyntaxKind.InstanceOfKeyword)
    return [`instanceof ${node.right.getText()}`];
  return isStringLiteralLike(node) ? quotedIn(node) : [];
}

function exportedType(node: ts.Node): string | undefined {
  const isType = isInterfaceDeclaration(node) || isTypeAliasDeclaration(node) || isClassDeclaration(node);
  const isExported = isType && node.modifiers?.some(({ kind }) => kind === SyntaxKind.ExportKeyword);
  return isExported ? node.name?.text : undefined;
}

/** Returns the names that a statement keeps in the module. */
function keptIn(node: ts.Node): readonly string[] {
  if (!isVariableStatement(node) || !isSourceFile(node.parent)) return [];
  const { declarations, flags } = node.declarationList;
  const isVariable = (flags & ts.NodeFlags.Const) === 0;
  return declarations
    .filter(({ initializer, type }) => isVariable || (!isReadOnly(type) && beginsEmpty(initializer)))
    .map(({ name }) => name.getText());
}

/** Our own names of types that hold something are of what nobody changes. */
const isReadOnly = (type: ts.TypeNode | undefined): boolean =>
  type !== undefined && !/^(?:Map|Set|Array)<|^(?!readonly ).*\[\]$/.test(type.getText());

/** A WeakMap is what its keys hold. */
const beginsEmpty = (made: ts.Expression | undefined): boolean =>
  made !== undefined &&
  ((isArrayLiteralExpression(made) && made.elements.length === 0) ||
    (isNewExpression(made) &&
      !made.arguments?.length &&
      /^(?:Map|Set|Array)$/.test(made.expression.getText())));

/** Returns the words of a text, with or without `${…}`. */
function quotedIn(node: ts.Node): readonly string[] {
  const isText = isStringLiteralLike(node) || isTemplateHead(node) || isTemplateMiddleOrTemplateTail(node);
  return isText ? node.text.split(/[^\w.]+/) : [];
}
