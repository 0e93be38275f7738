/** nginx with a server block of a guide as it stands, but for its ports, names of files and the address behind. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nginxConfiguration } from '../../packages/core/src/testing/bed/engines/nginx.ts';
import { accepting, boundToUs } from '../../packages/core/src/testing/bed/scratch.ts';
import { usePorts } from './ports.ts';
import type { TypescriptGround } from './program.ts';

/** Runs it while there is work. @param block as it stands, with `listen 443 ssl` and `proxy_pass` */
export async function whileProxying(
  block: string,
  { folder, here, shell }: TypescriptGround,
  work: (url: string) => Promise<void>,
): Promise<void> {
  const port = (await usePorts(443)).get(443) ?? 0;
  const site = block
    .replace('listen 443 ssl', `listen 127.0.0.1:${port} ssl`)
    .replace(/(proxy_pass +https:\/\/)[\d.]+/, '$1localhost');
  await mkdir(join(folder, 'nginx'));
  await writeFile(join(folder, 'nginx', 'nginx.conf'), nginxConfiguration([here(site)]));
  await shell.run(`openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost \\
    -addext subjectAltName=DNS:localhost -keyout nginx/login.key -out nginx/login.pem`);
  const nginx = ['/usr/sbin/nginx', '-p', join(folder, 'nginx'), '-c', 'nginx.conf', '-e', 'stderr'];
  await shell.run([...nginx, '-t'].join(' '));
  const [command, ...args] = boundToUs(nginx);
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  try {
    await accepting(port);
    await work(`https://localhost:${port}/`);
  } finally {
    child.kill('SIGTERM');
    await ended;
  }
}
