/**
 * Two sites out of one package: `vite --mode admin` and `vite --mode self`. In development the calls go on to a server that
 * `npm start` runs.
 */
import { fileURLToPath } from 'node:url';
import optimizeLocales from '@react-aria/optimize-locales-plugin';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

const servers = {
  admin: process.env.WATCHWORD_MANAGER_URL ?? 'https://localhost:4443',
  self: process.env.WATCHWORD_WS_URL ?? 'https://localhost:8443',
};

export default defineConfig(({ mode }) => {
  // `vite` alone is the Admin Portal; its modes have names of their own.
  const site = mode === 'self' ? 'self' : 'admin';
  const forward = { target: servers[site], secure: false, changeOrigin: true };
  return {
    root: fileURLToPath(new URL(`src/${site}/`, import.meta.url)),
    base: `/${site}/`,
    mode: mode === site ? 'production' : mode,
    // The sentences of the component kit, in the languages that the portal has.
    plugins: [
      react(),
      { ...optimizeLocales.vite({ locales: ['en-US', 'fr-FR', 'de-DE', 'es-ES'] }), enforce: 'pre' as const },
    ],
    resolve: { conditions: ['watchword-source', ...defaultClientConditions] },
    define: { 'process.env.NODE_ENV': JSON.stringify(mode === 'development' ? 'development' : 'production') },
    server: { proxy: { [`/${site}/session`]: forward, [`/${site}/rpc`]: forward } },
    build: {
      outDir: fileURLToPath(new URL(`dist/${site}/`, import.meta.url)),
      emptyOutDir: true,
      // The policy of the pages (CSP) takes no data: fonts or scripts, and nothing inline.
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      target: 'es2022',
      // From these on, `light-dark()` is theirs.
      cssTarget: ['chrome123', 'firefox120', 'safari17.5'],
      reportCompressedSize: false,
      license: { fileName: 'THIRD-PARTY-NOTICES.md' },
    },
  };
});
