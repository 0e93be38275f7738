/** The child of `holder.test.ts`: checks a process until it has ended and a while after, and reports whether it ever seemed alive again. */
import { hasEnded } from '../records/holder.ts';

/** The time in milliseconds within which the parent reaps the process. */
const checkedAfter = 100;

process.on('message', (holder: string) => {
  while (!hasEnded(holder));
  const until = performance.now() + checkedAfter;
  let hasComeBack = false;
  while (performance.now() < until) hasComeBack ||= !hasEnded(holder);
  process.send?.(hasComeBack);
});
process.once('disconnect', () => process.exit());
process.send?.('ready');
