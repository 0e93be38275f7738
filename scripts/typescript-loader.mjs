/** A hook for Node's loader of modules: TypeScript without its types. */
import { readFile } from 'node:fs/promises';
import ts from 'typescript';

const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 };

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  const { outputText } = ts.transpileModule(await readFile(new URL(url), 'utf8'), { compilerOptions });
  return { format: 'module', source: outputText, shortCircuit: true };
}
