/** A test database and its nodes. The suites of a test file share a server. */
import { afterAll } from 'vitest';
import { type PostgresServer, startPostgres } from '../../../core/src/testing/bed/engines/postgres.ts';
import { TestClock } from '../../../core/src/testing/test-clock.ts';
import { Database, type PostgresOptions, Steps, type StepsOptions, upgrade } from '../index.ts';

export interface Bed {
  readonly server: PostgresServer;
  readonly database: string;
  readonly clock: TestClock;
  readonly steps: Steps;
  /** Opens a node that shares nothing with others but the database. */
  anotherNode(options?: NodeOptions): Steps;
  dispose(): Promise<void>;
}

export interface NodeOptions extends StepsOptions {
  readonly port?: number;
  readonly timeout_ms?: number;
}

let server: Promise<PostgresServer> | undefined;

/** Opens a bed. Call it where suites are declared, or in a hook. */
export async function openBed(): Promise<Bed> {
  server ??= startPostgres();
  const started = await server;
  const database = await started.createDatabase();
  await migrate(started, database);
  const clock = new TestClock();
  const open: Database[] = [];
  const anotherNode = ({ port, timeout_ms, ...rest }: NodeOptions = {}): Steps => {
    const options = optionsOf(started, database);
    const node = new Database({
      ...options,
      ...(port !== undefined && { hosts: [{ host: '127.0.0.1', port }] }),
      ...(timeout_ms !== undefined && { timeout_ms }),
    });
    open.push(node);
    return new Steps(node, { clock, ...rest });
  };
  return {
    ...{ server: started, database, clock, anotherNode },
    steps: anotherNode(),
    dispose: async () => {
      await Promise.all(open.map((node) => node.close()));
    },
  };
}

afterAll(async () => {
  await (await server)?.stop();
  server = undefined;
});

export const optionsOf = ({ port, node }: PostgresServer, database: string): PostgresOptions => ({
  hosts: [{ host: '127.0.0.1', port }],
  ...{ ...node, database, tls: false, timeout_ms: 30_000, connections: 5 },
});

/** Upgrades the schema as its owner, for the nodes' role. */
export async function migrate(server: PostgresServer, database: string): Promise<void> {
  const owner = new Database({ ...optionsOf(server, database), ...server.owner });
  await upgrade(owner, { role: server.node.user, isDry: false });
  await owner.close();
}
