/** The process that reads one PDF and writes an update behind it: what the file makes it do harms nobody else. */
import { updateWithPlace, type WantedUpdate } from './update.ts';

process.once('message', async (wanted: WantedUpdate) => {
  const updated = await updateWithPlace(wanted).catch(() => undefined);
  process.send?.(updated ?? null, undefined, undefined, () => process.disconnect());
});
