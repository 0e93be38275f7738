/**
 * Writes `core-types.ts` out as declarations that import nothing. The published types of the client are made
 * with them in place of the core: whoever installs the client has no core, and no zod, to resolve.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';

const flags =
  ts.NodeBuilderFlags.NoTruncation |
  ts.NodeBuilderFlags.InTypeAlias |
  ts.NodeBuilderFlags.MultilineObjectLiterals;

/** @param root folder of the package  @returns path of the declarations  @throws if a type is not written out */
export function writeCoreTypes(root: string): string {
  const target = join(root, '.cache', 'core.d.ts');
  mkdirSync(dirname(target), { recursive: true });
  writeFileSync(
    target,
    declarations(join(root, 'build', 'core-types.ts'), join(root, '../../tsconfig.json')),
  );
  return target;
}

function declarations(source: string, tsconfig: string): string {
  const program = ts.createProgram([source], compilerOptions(tsconfig));
  const checker = program.getTypeChecker();
  const file = program.getSourceFile(source);
  const symbol = file && checker.getSymbolAtLocation(file);
  if (!symbol) throw new Error(`${source} is no module`);
  const printer = ts.createPrinter();
  const written = checker.getExportsOfModule(symbol).map((type) => {
    const node = checker.typeToTypeNode(checker.getDeclaredTypeOfSymbol(type), undefined, flags);
    if (!node) throw new Error(`${type.name} cannot be written out`);
    return `export type ${type.name} = ${printer.printNode(ts.EmitHint.Unspecified, node, file)};\n`;
  });
  return written.join('');
}

function compilerOptions(tsconfig: string): ts.CompilerOptions {
  const { config, error } = ts.readConfigFile(tsconfig, ts.sys.readFile);
  if (error) throw new Error(`${tsconfig} cannot be read`);
  return ts.parseJsonConfigFileContent(config, ts.sys, dirname(tsconfig)).options;
}
