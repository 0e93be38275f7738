/** Type errors of the TypeScript in guides, against the declarations that were packed, or the sources where those are older. */
import ts from 'typescript';
// @ts-expect-error: scripts have no types.
import { arePacked } from '../../scripts/packed.mjs';
import { root } from './blocks.ts';

/** Where the files of a guide stand for the compiler: in here, so that they see the packages. They are nowhere else. */
const place = `${root}test/guides/of-a-guide/`;

const configuration = ts.getParsedCommandLineOfConfigFile(
  `${root}tsconfig.json`,
  {},
  {
    ...ts.sys,
    onUnRecoverableConfigFileDiagnostic: ({ messageText }) => {
      throw new Error(ts.flattenDiagnosticMessageText(messageText, '\n'));
    },
  },
);

/** The last look: the packages are read once. */
let earlier: ts.Program | undefined;

/** @param files by their names, all that the one may import. @returns what is wrong with it */
export function typeErrors(name: string, files: ReadonlyMap<string, string>): readonly string[] {
  if (!configuration) throw new Error('tsconfig.json cannot be read');
  // Declarations are read faster, and are what a reader has.
  const options = { ...configuration.options, ...(arePacked() && { customConditions: [] }) };
  const program = ts.createProgram([place + name], options, hostOf(files, options), earlier);
  earlier = program;
  const source = program.getSourceFile(place + name);
  const wrong = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  return wrong.map(({ messageText, file, start = 0 }) => {
    const line = file?.text.slice(0, start).split('\n').length;
    return `${name}, line ${line}: ${ts.flattenDiagnosticMessageText(messageText, '\n')}`;
  });
}

function hostOf(files: ReadonlyMap<string, string>, options: ts.CompilerOptions): ts.CompilerHost {
  const host = ts.createCompilerHost(options);
  const textOf = (path: string) => (path.startsWith(place) ? files.get(path.slice(place.length)) : undefined);
  return {
    ...host,
    directoryExists: (path) => path === place.slice(0, -1) || ts.sys.directoryExists(path),
    fileExists: (path) => textOf(path) !== undefined || host.fileExists(path),
    readFile: (path) => textOf(path) ?? host.readFile(path),
    getSourceFile: (path, version) => {
      const text = textOf(path);
      if (text !== undefined) return ts.createSourceFile(path, text, version);
      return earlier?.getSourceFile(path) ?? host.getSourceFile(path, version);
    },
  };
}
