/** For `holder.test.ts`: looks at one process until it is gone, and for a while after; tells whether it ever came back. */
import { hasEnded } from '../records/holder.ts';

/** The parent takes it off the list of processes within that time. */
const looksOn = 100;

process.on('message', (holder: string) => {
  while (!hasEnded(holder));
  const until = performance.now() + looksOn;
  let hasComeBack = false;
  while (performance.now() < until) hasComeBack ||= !hasEnded(holder);
  process.send?.(hasComeBack);
});
process.once('disconnect', () => process.exit());
process.send?.('ready');
