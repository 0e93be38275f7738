/** A hook for Node's loader of modules: TypeScript without its types, which is kept, as hundreds of processes of the tests load it. */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { stamps } from './workspace.mjs';

const { version } = createRequire(import.meta.url)('typescript/package.json');
const place = join(stamps, `typescript-${version}`);

export async function load(url, context, next) {
  if (!url.endsWith('.ts')) return next(url, context);
  return { format: 'module', source: await withoutTypes(await readFile(new URL(url))), shortCircuit: true };
}

async function withoutTypes(text) {
  const kept = join(place, `${createHash('sha256').update(text).digest('hex')}.mjs`);
  try {
    return await readFile(kept, 'utf8');
  } catch {
    const source = await transpiled(text.toString());
    await mkdir(place, { recursive: true });
    const own = `${kept}.${randomUUID()}`; // others may be writing it, too
    await writeFile(own, source);
    await rename(own, kept);
    return source;
  }
}

/** The compiler takes a second to load: only where it is needed. */
async function transpiled(text) {
  const { default: ts } = await import('typescript');
  const compilerOptions = { module: ts.ModuleKind.ESNext, target: ts.ScriptTarget.ES2023 };
  return ts.transpileModule(text, { compilerOptions }).outputText;
}
