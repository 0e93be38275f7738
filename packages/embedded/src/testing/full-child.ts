/** The child of `full-disk.test.ts`: makes concurrent writes to a database of limited size, and reports their outcomes. */
import { ServiceError } from '../../../core/src/foundation/errors/errors.ts';
import { systemClock } from '../../../node/src/machine/index.ts';
import { openEnvironment, openStore } from '../index.ts';

const [folder = '', writers = ''] = process.argv.slice(2);
const environment = await openEnvironment(folder);
const store = openStore(environment, systemClock);
const stored: string[] = [];
const refused = new Map<string, number>();

/** Writes large values in every fourth writer. */
async function writeAs(writer: number): Promise<void> {
  for (let n = 0; n < 20; n += 1) {
    const key = `value:${writer}-${n}`;
    try {
      await store.put(key, Buffer.alloc(writer % 4 === 0 ? 70_000 : 10), 3600);
      stored.push(key);
    } catch (error) {
      const reason = error instanceof ServiceError ? `${error.reason}: ${error.detail}` : String(error);
      refused.set(reason, (refused.get(reason) ?? 0) + 1);
    }
  }
}

const probe = () => store.probe().then(Number, (error: ServiceError) => `${error.reason}: ${error.detail}`);

const before = await probe();
await Promise.all(Array.from({ length: Number(writers) }, (_, writer) => writeAs(writer)));
await systemClock.sleep(1100);
const after = await probe();
await environment.close();
process.send?.({ stored, refused: [...refused.keys()], before, after });
process.disconnect();
