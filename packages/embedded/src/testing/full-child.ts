/**
 * For `full-disk.test.ts`: writes from so many sides into the folder given, where the database may not grow
 * beyond a limit, and tells its parent which writes were answered and how.
 */
import { ServiceError } from '../../../core/src/foundation/errors/errors.ts';
import { systemClock } from '../../../node/src/machine/index.ts';
import { openEnvironment, openStore } from '../index.ts';

const [folder = '', sides = ''] = process.argv.slice(2);
const environment = await openEnvironment(folder);
const store = openStore(environment, systemClock);
const stored: string[] = [];
const refused = new Map<string, number>();

/** Every fourth side writes much. */
async function writeFrom(side: number): Promise<void> {
  for (let n = 0; n < 20; n += 1) {
    const key = `value:${side}-${n}`;
    try {
      await store.put(key, Buffer.alloc(side % 4 === 0 ? 70_000 : 10), 3600);
      stored.push(key);
    } catch (error) {
      const reason = error instanceof ServiceError ? `${error.reason}: ${error.detail}` : String(error);
      refused.set(reason, (refused.get(reason) ?? 0) + 1);
    }
  }
}

const lookAround = () =>
  store.probe().then(Number, (error: ServiceError) => `${error.reason}: ${error.detail}`);

const before = await lookAround();
await Promise.all(Array.from({ length: Number(sides) }, (_, side) => writeFrom(side)));
await systemClock.sleep(1100);
const after = await lookAround();
await environment.close();
process.send?.({ stored, refused: [...refused.keys()], before, after });
process.disconnect();
