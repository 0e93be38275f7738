/** The embedding guide: its modules are compiled and run, one after another, on one data folder. */
import type { Block } from './blocks.ts';
import { runGuide, typeBlock } from './guide.ts';
import { fromSource, openPlace } from './place.ts';
import { usePorts, withPorts } from './ports.ts';
import { keepModule, type TypescriptGround, whileServing } from './program.ts';
import { openShell } from './shell.ts';

async function openFolder(): Promise<TypescriptGround> {
  const { folder, close } = await openPlace();
  const ports = await usePorts(8443);
  const environment = { NODE_OPTIONS: fromSource.join(' ') };
  const shell = openShell({ folder, environment });
  return {
    ...{ folder, shell, environment: { ADMIN_PASSWORD: 'correct horse battery' } },
    here: (text) => withPorts(text, ports),
    close: async () => {
      await shell.close();
      await close();
    },
  };
}

let curl: Block;

runGuide<TypescriptGround>('docs/guide/embedding.md', {
  open: openFolder,
  runners: {
    ts: keepModule,
    'Serve it from Express/sh/2': (block, ground) => {
      curl = block;
      return whileServing('express.ts', ground, () => typeBlock(block, ground));
    },
    'Serve it from Fastify/ts': async (block, ground) => {
      await keepModule(block, ground);
      await whileServing('fastify.ts', ground, () => typeBlock(curl, ground));
    },
  },
});
