/**
 * A throwaway nginx in front of servers, as the guide writes it down: it takes TLS and client certificates, checks
 * none of them, and passes on who asks. Needs the Debian package nginx-light.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CertifiedKey } from '../adapters/pki/index.ts';
import { accepting, boundToUs, freePorts, scratchFolder } from './scratch.ts';

export interface NginxOptions {
  /** Where the servers behind it listen, `https://`; each gets a port of its own. */
  readonly behind: readonly string[];
  /** What it shows to clients. */
  readonly server: CertifiedKey;
  /** What it shows to the servers behind it. */
  readonly own: CertifiedKey;
}

export interface Nginx {
  /** In the order of `behind`; each ends with a slash. */
  readonly urls: readonly string[];
  stop(): Promise<void>;
}

export async function startNginx({ behind, server, own }: NginxOptions): Promise<Nginx> {
  const folder = await scratchFolder('nginx');
  const ports = await freePorts(behind.length);
  const files = { 'server.pem': server.certificate, 'server.key': server.key };
  const ours = { 'own.pem': own.certificate, 'own.key': own.key };
  const sites = behind.map((url, index) => site(url, ports[index] ?? 0));
  for (const [name, text] of Object.entries({ ...files, ...ours, 'nginx.conf': configuration(sites) }))
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

/** One process, which writes nowhere but into its folder. */
const configuration = (sites: readonly string[]): string => `
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

const site = (behind: string, port: number): string => `
    server {
        listen 127.0.0.1:${port} ssl;
        ssl_certificate server.pem;
        ssl_certificate_key server.key;
        ssl_verify_client optional_no_ca;
        location / {
            proxy_pass ${behind};
            proxy_ssl_certificate own.pem;
            proxy_ssl_certificate_key own.key;
            proxy_http_version 1.1;
            proxy_set_header Connection "";
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_set_header Client-Cert $ssl_client_escaped_cert;
        }
    }`;
