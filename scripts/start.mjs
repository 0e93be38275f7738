/** `npm start`: installs and builds what is not there yet, then starts both servers on an embedded directory. */
import { ensureBuilt, ensureInstalled } from './workspace.mjs';

const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`watchword needs Node 20.19 or later; this is ${process.versions.node}.\n`);
  process.exit(1);
}
const isOrphan = orphanage();
ensureInstalled();
ensureBuilt();
if (isOrphan()) process.exit(1);
endWithParent();
await import('../packages/quickstart/dist/main.js');

/** Tells whether the process that has started this one is gone. */
function orphanage() {
  const parent = process.ppid;
  return () => process.ppid !== parent;
}

/** npm relays a signal to its shell alone, which ends without a word to us: who ends npm wants us to end. */
function endWithParent() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const watch = setInterval(() => {
    if (!isOrphan()) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 200).unref();
}
