/**
 * A server in a process with few open files, for tests of connections. Sends its parent its port and its log, and answers whether it can
 * still open a file.
 */
import { closeSync, openSync } from 'node:fs';
import { serve } from '../../../../../node/src/http/index.ts';
import { openFileLimit } from '../../../../../node/src/machine/index.ts';
import { plainText } from '../../../foundation/http/response.ts';

const [isLimited = '1'] = process.argv.slice(2);
const tell = (message: string) => void process.send?.({ logged: message });
const log = { info() {}, warn: tell, error: tell };
const most = isLimited === '1' ? Math.floor((openFileLimit() ?? 0) * 0.75) : undefined;

const direct = async () => {
  closeSync(openSync('/dev/null', 'r'));
  return plainText(200, 'open');
};
const connections = { perAddress: 1_000_000, exempt: [], most };
const { port } = await serve({ direct }, { host: '127.0.0.1', port: 0, log, connections });
process.send?.({ port });
process.once('disconnect', () => process.exit());
