/** Memory of this process. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * Gives back what nobody uses any more. V8 collects by itself where memory is asked for; a server that has just started and is
 * not asked yet would keep what its start has left, a third of all it has. It holds the event loop for some tens of milliseconds.
 */
export function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  const collect: () => void = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  collect();
}
