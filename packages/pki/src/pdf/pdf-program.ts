/** The process that reads one PDF and appends a signature field; a hostile file can harm only this process. */
import { updateWithPlace, type WantedUpdate } from './update.ts';

process.once('message', async (wanted: WantedUpdate) => {
  const updated = await updateWithPlace(wanted).catch(() => undefined);
  process.send?.(updated ?? null, undefined, undefined, () => process.disconnect());
});
