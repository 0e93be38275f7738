/** `npm start`: installs and builds what is not there yet, then starts both servers on an embedded directory. */
import { ensureBuilt, ensureInstalled } from './workspace.mjs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`watchword needs Node 20.19 or later; this is ${process.versions.node}.\n`);
  process.exit(1);
}
ensureInstalled();
ensureBuilt();
await import('../packages/quickstart/dist/main.js');
