/**
 * How the bundled servers are built: each program is one bundle with everything but the engines that have binaries, so
 * that a start opens a few files in the place of three hundred and loads what it uses. What is imported stays as it is.
 */
import { cpSync, rmSync } from 'node:fs';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Packages with binaries of their own; the packages of the servers depend on them. */
const engines = ['lmdb', '@node-rs/argon2', '@node-rs/bcrypt'];

/** Large, and wanted by few: they have files of their own, so that a server that does not use them has not read them either. */
const apart = ['@simplewebauthn/server', '@simplewebauthn/server/helpers'];
const fileOf = (name) => `apart/${name.replace('@', '').replaceAll('/', '-')}`;
const requireOfCore = createRequire(new URL('../packages/core/package.json', import.meta.url));

/**
 * Bundles the sources without white space, as what a start reads stays in memory. Syntax is not minified: that drops the
 * names of classes, which some dependencies ask for.
 */
const ourWay = {
  conditions: ['watchword-source'],
  minifyWhitespace: true,
};

/** What a login uses hundreds of times. */
const globals = { inject: [fileURLToPath(new URL('node-globals.mjs', import.meta.url))] };

/** What tsup makes of a server's package, where nothing of an earlier build is left. */
export function serverBuild() {
  rmSync('dist', { recursive: true, force: true });
  // What browsers are served lies beside the program: see packages/portal/src/files.ts.
  cpSync('../portal/dist', 'dist/portal', { recursive: true });
  return [
    {
      entry: ['src/index.ts'],
      format: 'esm',
      target: 'node20',
      dts: true,
      noExternal: ['@watchword/portal'],
    },
    {
      entry: {
        main: 'src/main.ts',
        'pdf-program': '../pki/src/pdf/pdf-program.ts',
        'large-changes-program': '../embedded/src/large-changes/large-changes-program.ts',
      },
      format: 'esm',
      target: 'node20',
      splitting: true,
      noExternal: [new RegExp(`^(?!(?:${engines.join('|')})$)`)],
      external: engines,
      banner: {
        // For packages that are CommonJS.
        js: "import { createRequire as requireFor } from 'node:module'; const require = requireFor(import.meta.url);",
      },
      esbuildOptions: (options) => Object.assign(options, ourWay, globals),
      esbuildPlugins: [
        ...[bundledRequire(), englishOnly(), supportedRuntime(), namesOfDependencies(), notices()],
      ],
    },
    {
      entry: Object.fromEntries(apart.map((name) => [fileOf(name), requireOfCore.resolve(name)])),
      format: 'cjs',
      outExtension: () => ({ js: '.cjs' }),
      target: 'node20',
      noExternal: [/./],
      esbuildOptions: (options) => Object.assign(options, ourWay),
      esbuildPlugins: [namesOfDependencies(), notices()],
    },
  ];
}

/**
 * What our sources load by `require`, because only some need it, is bundled too: a `require` of their own would look for
 * it among installed packages.
 */
function bundledRequire() {
  const own = /^const require = createRequire\(import\.meta\.url\);$/m;
  return {
    name: 'bundled-require',
    setup: (build) => {
      build.onLoad({ filter: /[\\/]packages[\\/][^\\/]+[\\/]src[\\/].*\.ts$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        return own.test(text) ? { contents: text.replace(own, ''), loader: 'ts' } : undefined;
      });
      build.onResolve({ filter: /^[^./]/ }, ({ kind, path }) =>
        kind === 'require-call' && apart.includes(path)
          ? { path: `./${fileOf(path)}.cjs`, external: true }
          : undefined,
      );
      // Of a CommonJS package that is bundled, `import()` gives nothing but `default`: what Node makes of it is lost.
      build.onResolve({ filter: /^[^./]/ }, ({ kind, importer, path }) =>
        kind === 'dynamic-import' &&
        !path.startsWith('@watchword/') &&
        /[\\/]packages[\\/][^\\/]+[\\/]src[\\/]/.test(importer)
          ? {
              errors: [
                {
                  text: `${path} is loaded by import(): a bundle needs require, see docs/decisions/0043-bundles-keep-names.md`,
                },
              ],
            }
          : undefined,
      );
    },
  };
}

/** zod has its sentences in fifty languages, half of its size. None but the English ones are ever asked for. */
function englishOnly() {
  return {
    name: 'english-only',
    setup: (build) =>
      build.onLoad({ filter: /[\\/]zod[\\/]v4[\\/]locales[\\/]index\.cjs$/ }, ({ path }) => ({
        contents: "exports.en = require('./en.cjs').default;",
        resolveDir: dirname(path),
      })),
  };
}

/**
 * Leaves out the warning of oidc-provider about Node 20: our tests hold the whole flow there, see
 * docs/decisions/0031-openid-connect-by-oidc-provider.md. Throws, and so ends the build, where the warning is not as it was.
 */
function supportedRuntime() {
  const warning = /^if \(.*\) \{\n {2}attention\.warn\('Unsupported runtime\. [^\n]*\n\}\n/m;
  return {
    name: 'supported-runtime',
    setup: (build) =>
      build.onLoad({ filter: /[\\/]oidc-provider[\\/]lib[\\/]index\.js$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        if (!warning.test(text)) throw new Error(`${path} warns of no runtime: delete supportedRuntime`);
        return { contents: text.replace(warning, ''), loader: 'js' };
      }),
  };
}

/**
 * Keeps the names that classes and functions of dependencies have: a bundler renames what several files call alike, and
 * oidc-provider finds its configuration by `constructor.name`. Our own sources ask for no names, and pay nothing for them.
 */
function namesOfDependencies() {
  return {
    name: 'names-of-dependencies',
    setup: (build) =>
      build.onLoad({ filter: /[\\/]node_modules[\\/].*\.[cm]?js$/ }, async ({ path }) => {
        const text = await readFile(path, 'utf8');
        const { code } = await build.esbuild.transform(text, { keepNames: true, sourcefile: path });
        return { contents: code, loader: 'js' };
      }),
  };
}

/** Folders of packages that have been bundled so far, and who writes them down: builds run beside each other. */
const bundled = new Set();
let writing = Promise.resolve();

/** Writes the licences of what is bundled beside it, as they demand. */
function notices() {
  return {
    name: 'notices',
    setup: ({ initialOptions, onEnd }) => {
      initialOptions.metafile = true;
      onEnd(async ({ metafile, errors }) => {
        if (errors.length > 0) return;
        for (const folder of Object.keys(metafile.inputs).flatMap(packageFolder)) bundled.add(folder);
        writing = writing.then(writeNotices);
        await writing;
      });
    },
  };
}

async function writeNotices() {
  const texts = await Promise.all([...bundled].sort().map(notice));
  await writeFile('dist/THIRD-PARTY-NOTICES.txt', texts.join(`\n${'-'.repeat(80)}\n\n`));
}

const packageFolder = (path) =>
  [/^.*node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(path.replaceAll('\\', '/'))?.[0]].filter(Boolean);

async function notice(folder) {
  const { name, version, license } = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
  const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file));
  const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
  return `${name} ${version}, ${license}\n\n${texts.join('\n')}`;
}
