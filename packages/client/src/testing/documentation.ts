/** Documentation that editors show for calls, by TypeScript's language service. */
import { readFileSync } from 'node:fs';
import ts from 'typescript';

/**
 * The documentation of the last name of each expression.
 * @param file where the program would stand; nothing is written there
 * @param program that declares what the expressions begin with
 */
export function documentationOf(
  expressions: readonly string[],
  {
    file,
    program,
    options,
  }: { readonly file: string; readonly program: string; readonly options: ts.CompilerOptions },
): readonly string[] {
  const text = `${program}\n${expressions.map((expression) => `${expression};\n`).join('')}`;
  const host: ts.LanguageServiceHost = {
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (path) => {
      const content = path === file ? text : ts.sys.fileExists(path) ? readFileSync(path, 'utf8') : undefined;
      return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
    },
    getCurrentDirectory: () => process.cwd(),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
    getDirectories: ts.sys.getDirectories,
  };
  const service = ts.createLanguageService(host);
  let end = program.length;
  return expressions.map((expression) => {
    end += 1 + expression.length;
    const info = service.getQuickInfoAtPosition(file, end - 1);
    end += 1;
    return ts.displayPartsToString(info?.documentation);
  });
}
