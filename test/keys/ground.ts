/** An installation with both servers as processes, whose key ring is changed under them. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfiguration } from '@watchword/cli';
import { createManager, createWebServices } from '@watchword/client';
import { nodeTransport } from '@watchword/client/node';
import { Dn, type Entry } from '@watchword/core';
import { KeptLog } from '@watchword/core/testing';
import { openEngines } from '@watchword/engines';
import { type Ended, type Program, type Started, start } from '../operator/program.ts';

export interface Installation {
  /** The part of the configuration that names the directory and who administers it. */
  readonly yaml: string;
  readonly administrator: { readonly username: string; readonly password: string };
  readonly people: string;
  /** Before the first server, as `init` is for an embedded directory. */
  prepare?(folder: string, file: string): Promise<void>;
}

export class Ground {
  readonly #program: Program;
  readonly #installation: Installation;
  readonly #servers: Started[] = [];
  readonly folder: string;
  readonly file: string;

  private constructor(program: Program, installation: Installation, folder: string) {
    this.#program = program;
    this.#installation = installation;
    this.folder = folder;
    this.file = join(folder, 'watchword.yaml');
  }

  static async open(program: Program, installation: Installation): Promise<Ground> {
    const folder = await mkdtemp(join(tmpdir(), 'watchword-keys-'));
    const ground = new Ground(program, installation, folder);
    await installation.prepare?.(folder, ground.file);
    const text = `data: data
${installation.yaml}
manager: {port: 0}
ws: {port: 0}
log: {level: error}
limits: {login_failure_delay_ms: 0}
settings: {Otp.LoginMode: LDAPOTP, Otp.HOTPLookAheadWindow: '20'}
`;
    await writeFile(ground.file, text, { mode: 0o600 });
    return ground;
  }

  async close(): Promise<void> {
    await this.stopServers();
    await rm(this.folder, { recursive: true });
  }

  /** `watchword-manager`, to its end. */
  ask(...args: readonly string[]): Promise<Ended> {
    return this.begin(...args).ended;
  }

  begin(...args: readonly string[]): Started {
    const [command = '', ...more] = args;
    return start([command, '-c', this.file, ...more], this.#program.command);
  }

  /** Both, started anew. @returns how to talk to them */
  async startServers() {
    await this.stopServers();
    const [manager, web] = await Promise.all([
      this.#startServer('watchword-manager'),
      this.#startServer('watchword-ws'),
    ]);
    const { fetch } = nodeTransport({ ca: await readFile(join(this.folder, 'data', 'ca.pem'), 'utf8') });
    return {
      manager: createManager({ url: `${manager}/manag/`, ...this.#installation.administrator, fetch }),
      web: createWebServices({ url: web, fetch }),
    };
  }

  async #startServer(name: 'watchword-manager' | 'watchword-ws'): Promise<string> {
    const server = start(['--config', this.file], [process.execPath, this.#program.modules[name]]);
    this.#servers.push(server);
    return (await server.prints(/https:\S+(?=\n)/)).replace(/\/$/, '');
  }

  async stopServers(): Promise<void> {
    for (const { child, ended } of this.#servers.splice(0)) {
      child.kill('SIGTERM');
      await ended;
    }
  }

  /** The lines of the key file that are keys. */
  async ring(): Promise<readonly string[]> {
    const text = await readFile(join(this.folder, 'data', 'keys'), 'utf8');
    return text.split('\n').filter((line) => /^[^#\s]/.test(line));
  }

  async useRing(...keys: readonly string[]): Promise<void> {
    await writeFile(join(this.folder, 'data', 'keys'), `${keys.join('\n')}\n`, { mode: 0o600 });
  }

  /** Many people with a secret each, written while no server runs. */
  async addMany(count: number): Promise<void> {
    const { config } = readConfiguration(this.file, {});
    const engines = await openEngines(config, new KeptLog());
    try {
      for (let from = 0; from < count; from += 50)
        await Promise.all(
          Array.from({ length: Math.min(50, count - from) }, (_, index) =>
            this.#addOne(from + index, engines),
          ),
        );
    } finally {
      await engines.directory.close();
      await engines.close();
    }
  }

  async #addOne(number: number, { directory, keys }: Awaited<ReturnType<typeof openEngines>>): Promise<void> {
    const dn = Dn.parse(`uid=many${number},${this.#installation.people}`);
    const attributes = { objectclass: ['inetOrgPerson', 'webadmAccount'], cn: ['x'], sn: ['x'] };
    await directory.service.add(dn, new Map(Object.entries(attributes)));
    const id = identifierOf(await directory.service.read(dn, ['entryuuid']));
    const sealed = Buffer.from(keys.seal(randomBytes(20), `${id}:Otp.TokenKey`)).toString('base64');
    const values = [`Otp.TokenType=VE9UUA==,Otp.TokenKey={wcrypt}${sealed}`];
    await directory.service.modify(dn, [{ operation: 'add', attribute: 'webadmData', values }]);
  }
}

const identifierOf = (entry: Entry | undefined): string => String(entry?.attributes.get('entryuuid')?.[0]);

export const newKey = (): string => randomBytes(32).toString('base64');

/** What a key is called where it must not be shown. */
export const idOf = (key: string): string =>
  createHash('sha256').update(Buffer.from(key, 'base64')).digest('hex').slice(0, 8);
