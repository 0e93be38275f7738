/** Child of `address-space.test.ts`: opens a folder in a process with a limit of addresses, and sends the outcome to its parent. */
import { StartError } from '../../../core/src/foundation/errors/start-error.ts';
import { openEnvironment } from '../index.ts';

const [folder = ''] = process.argv.slice(2);
const said = await openEnvironment(folder).then(
  async (environment) => {
    await environment.close();
    return 'opened';
  },
  (error) => (error instanceof StartError ? error.message : String(error)),
);
process.send?.(said);
process.disconnect();
