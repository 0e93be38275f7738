/** The processes of a cluster that are ours: nodes, and nginx in front of them. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { nginxConfiguration } from '../../packages/core/src/testing/bed/engines/nginx.ts';
import { accepting, boundToUs } from '../../packages/core/src/testing/bed/scratch.ts';
import type { Node } from './cluster.ts';

const program = fileURLToPath(new URL('../../packages/server-ws/dist/main.js', import.meta.url));

export class NodeProcess implements Node {
  readonly name: string;
  readonly port: number;
  readonly configuration: string;
  readonly data: string;
  #child: ChildProcess | undefined;

  constructor(name: string, { folder, port }: { readonly folder: string; readonly port: number }) {
    this.name = name;
    this.port = port;
    this.data = join(folder, name.replace(' ', '-'));
    this.configuration = `${this.data}.json`;
  }

  pid(): number | undefined {
    return this.#child?.pid;
  }

  kill(): Promise<void> {
    return this.#end('SIGKILL');
  }

  stop(): Promise<void> {
    return this.#end('SIGTERM');
  }

  async resume(): Promise<void> {
    const [command, ...args] = boundToUs([process.execPath, program, '--config', this.configuration]);
    this.#child = spawn(command, args, {
      stdio: 'ignore',
      env: { PATH: process.env.PATH },
    });
    await accepting(this.port);
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}

/** In front of all nodes: what one does not accept goes to another, and what one has got stays there. */
export async function startNginx(folder: string, [own = 0, ...behind]: readonly number[]) {
  const place = join(folder, 'nginx');
  await mkdir(place);
  const servers = behind.map((port) => `server 127.0.0.1:${port} max_fails=0;`);
  const site = `
    upstream nodes { ${servers.join(' ')} }
    server {
        listen 127.0.0.1:${own} ssl;
        ssl_certificate ../server.pem;
        ssl_certificate_key ../server.key;
        location / {
            proxy_pass https://nodes;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header Host $host;
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_connect_timeout 2s;
            proxy_read_timeout 60s;
        }
    }`;
  await writeFile(join(place, 'nginx.conf'), nginxConfiguration([site]));
  const [command, ...args] = boundToUs(['/usr/sbin/nginx', '-p', place, '-c', 'nginx.conf', '-e', 'stderr']);
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'ignore'] });
  const ended = once(child, 'exit');
  await accepting(own);
  return {
    url: `https://localhost:${own}/`,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
}
