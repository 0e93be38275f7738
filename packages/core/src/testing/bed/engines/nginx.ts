/**
 * A throwaway nginx in front of servers, by the file that operators get, `deploy/nginx/watchword.conf`: it takes TLS
 * and client certificates, checks none of them, and passes on who asks. Needs the Debian package nginx-light.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CertifiedKey } from '../../../../../pki/src/index.ts';
import { accepting, boundToUs, checkout, freePorts, scratchFolder } from '../scratch.ts';

export interface NginxOptions {
  /** Addresses of the servers behind nginx, `https://`: the Manager, then the web services; each gets a port of its own. */
  readonly behind: readonly string[];
  /** The certificate for clients. */
  readonly server: CertifiedKey;
  /** The certificate for the servers behind nginx. */
  readonly own: CertifiedKey;
}

export interface Nginx {
  /** Addresses in the order of `behind`; each ends with a slash. */
  readonly urls: readonly string[];
  stop(): Promise<void>;
}

export async function startNginx({ behind, server, own }: NginxOptions): Promise<Nginx> {
  const folder = await scratchFolder('nginx');
  const ports = await freePorts(behind.length);
  const files = { 'server.pem': server.certificate, 'server.key': server.key };
  const ours = { 'own.pem': own.certificate, 'own.key': own.key };
  const sites = await sitesOf(behind, ports);
  for (const [name, text] of Object.entries({ ...files, ...ours, 'nginx.conf': nginxConfiguration(sites) }))
    await writeFile(join(folder, name), text, { mode: 0o600 });
  const [command, ...args] = boundToUs(['/usr/sbin/nginx', '-p', folder, '-c', 'nginx.conf', '-e', 'stderr']);
  const child = spawn(command, args, { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = once(child, 'exit');
  for (const port of ports) await accepting(port);
  return {
    urls: ports.map((port) => `https://localhost:${port}/`),
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

/** Makes the configuration of one process, which writes only into its folder. */
export const nginxConfiguration = (sites: readonly string[]): string => `
daemon off;
master_process off;
pid nginx.pid;
events {}
http {
    access_log off;
    client_body_temp_path body;
    proxy_temp_path proxy;
    fastcgi_temp_path fastcgi;
    uwsgi_temp_path uwsgi;
    scgi_temp_path scgi;
    ${sites.join('\n')}
}
`;

const delivered = new URL('deploy/nginx/watchword.conf', checkout);

/** Returns the sites of the delivered file, in its order, with ports and paths of the test, and nginx's certificate for the servers. */
async function sitesOf(behind: readonly string[], ports: readonly number[]): Promise<readonly string[]> {
  const sites = (await readFile(delivered, 'utf8')).split(/^(?=server \{$)/m).slice(1);
  return behind.map((url, index) => {
    const ours: readonly (readonly [string | RegExp, string])[] = [
      ['listen 443 ssl;', `listen 127.0.0.1:${ports[index]} ssl;`],
      [/ssl_certificate .*;/, 'ssl_certificate server.pem;'],
      [/ssl_certificate_key .*;/, 'ssl_certificate_key server.key;'],
      [
        /proxy_pass .*;/,
        `proxy_pass ${url}; proxy_ssl_certificate own.pem; proxy_ssl_certificate_key own.key;`,
      ],
    ];
    return ours.reduce((text, [from, to]) => replaced(text, from, to), sites[index] ?? '');
  });
}

/** Replaces a part of the file, which must be there: else the operator's own path would be in a test. */
function replaced(text: string, from: string | RegExp, to: string): string {
  if (text.search(from) < 0) throw new Error(`deploy/nginx/watchword.conf has no ${from}`);
  return text.replace(from, () => to);
}
