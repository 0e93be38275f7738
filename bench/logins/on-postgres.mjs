/** Our server on slapd with PostgreSQL for all that it keeps, over TLS, each commit on disk. */
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock, systemRandom } from '@watchword/node';
import { createAuthority } from '@watchword/pki';
import { Database, upgrade } from '@watchword/postgres';
import { startPostgres } from '../bed.mjs';
import { startOnSlapd } from './servers.mjs';

const name = 'on-postgres';

/** @returns as `startOnSlapd` does; `stop` ends PostgreSQL too */
export async function startOnPostgres(ground) {
  const postgres = await startPostgres({ fsync: true });
  const database = await postgres.createDatabase();
  await makeTables(postgres, database);
  const data = join(ground.folder, name);
  await mkdir(data, { mode: 0o700 });
  const at = (file) => join(data, file);
  const authority = await createAuthority(
    { commonName: 'Bench', days: 2 },
    { clock: systemClock, random: systemRandom },
  );
  const files = {
    'authority.pem': authority.certificate,
    'authority.key': authority.key,
    'postgres-ca.pem': postgres.ca,
    password: postgres.node.password,
  };
  for (const [file, text] of Object.entries(files)) await writeFile(at(file), text, { mode: 0o600 });
  const store = {
    type: 'postgres',
    hosts: [`localhost:${postgres.port}`],
    ...{ database, user: postgres.node.user, password_file: at('password'), ca: at('postgres-ca.pem') },
  };
  const ca = { certificate: at('authority.pem'), key: at('authority.key') };
  const server = await startOnSlapd(ground, { name, more: { store, ca } });
  return {
    ...server,
    stop: async () => {
      await server.stop();
      await postgres.stop();
    },
  };
}

/** As an operator does before the first start: `watchword-manager tables`. */
async function makeTables({ port, owner, node }, name) {
  const hosts = [{ host: '127.0.0.1', port }];
  const bounds = { timeout_ms: 20_000, connections: 1 };
  const database = new Database({ hosts, database: name, ...owner, tls: false, ...bounds });
  await upgrade(database, { role: node.user, isDry: false });
  await database.close();
}
