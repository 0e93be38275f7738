/** Starts the gate by its environment: WATCHWORD_URL, API_KEY_FILE, and where they are not the usual ones GATE_PORT and GATE_CLIENT. */
import { readFileSync } from 'node:fs';
import { createGate } from './gate.ts';

const {
  WATCHWORD_URL: url,
  API_KEY_FILE: file,
  GATE_PORT: port = '8090',
  GATE_CLIENT: client = 'gate',
} = process.env;
if (!url || !file) {
  process.stderr.write(
    'The gate wants WATCHWORD_URL, where the web services are, and API_KEY_FILE, a file with its API key.\n',
  );
  process.exit(1);
}
const gate = createGate({ url, apiKey: readFileSync(file, 'utf8').trim(), client });
gate.listen(Number(port), '127.0.0.1', () => process.stdout.write(`The gate listens on 127.0.0.1:${port}\n`));
