/**
 * Starts a program whose packages may be missing. It imports nothing itself, so that a broken installation still gives a readable error.
 */

/**
 * Runs a program and sets the exit code of the process: what it returns, or 1 with a sentence on the package that is
 * not installed. Any other error is thrown.
 * @param load imports the program and runs it
 */
export async function launch(name: string, load: () => Promise<number>): Promise<void> {
  // Node reports a CommonJS module that fails below an import once more, as unhandled, with its stack.
  process.on('unhandledRejection', (error) => {
    if (missingPackage(error) === undefined) throw error;
  });
  try {
    process.exitCode = await load();
  } catch (error) {
    const sentence = missingPackage(error);
    if (sentence === undefined) throw error;
    process.stderr.write(`${name}: ${sentence}\n`);
    process.exitCode = 1;
  }
}

const packageName = '(?:@[\\w.-]+[/\\\\])?[\\w-][\\w.-]*';
const notFound = new RegExp(`^Cannot find (?:package|module) '(${packageName})(?:/[^']*)?'`);
/** @node-rs and lmdb have their binaries in packages of their own, optional ones, and look for them in vain. */
const noBinary = /^(?:Cannot find native binding|No native build was found)/;
const inFolder = new RegExp(`.*[/\\\\]node_modules[/\\\\](${packageName})`, 's');

/** Words the error of a package that is not installed, as a sentence for the operator. @returns undefined for another error */
export function missingPackage(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const cure = 'Run npm install again where the server is installed';
  const [, missing] = notFound.exec(error.message) ?? [];
  if (missing !== undefined) return `The package ${missing} is not installed. ${cure}.`;
  if (!noBinary.test(error.message)) return undefined;
  const [, half = 'of an engine'] = inFolder.exec(everythingSaid(error)) ?? [];
  const machine = `${process.platform} on ${process.arch}`;
  return `The package ${half} is installed without its binary for ${machine}. ${cure}, with its optional dependencies.`;
}

/** The messages of an error and of its causes. */
function everythingSaid(error: unknown): string {
  return error instanceof Error ? `${error.message}\n${everythingSaid(error.cause)}` : '';
}
