/** A private ACME server: Debian's Pebble, and a DNS server that gives every name the address 127.0.0.1. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { accepting, boundToUs, freePorts, issueCertificate, scratchFolder } from '../scratch.ts';

export interface PebbleOptions {
  /** The ports on 127.0.0.1 at which it asks for answers to challenges. */
  readonly httpPort: number;
  readonly tlsPort: number;
  /** The keys of existing accounts by identifier, in base64url; left out: anybody may make an account. */
  readonly accounts?: Readonly<Record<string, string>>;
  /** The lifetime of its certificates in seconds. Optional; default: five years. */
  readonly lifetime?: number;
}

export interface Pebble {
  readonly directory: string;
  /** PEM file of the authority of its address. */
  readonly ca: string;
  /** The number of certificates that it has issued. */
  readonly issued: number;
  stop(): Promise<void>;
}

/** Starts the server; answers to challenges are asked for at once. */
export async function startPebble({ httpPort, tlsPort, accounts, lifetime }: PebbleOptions): Promise<Pebble> {
  const folder = await scratchFolder('pebble');
  const [port, dnsPort, managementPort] = (await freePorts(3)) as [number, number, number];
  const { caFile, certFile, keyFile } = await issueCertificate(folder);
  const settings = {
    ...{ listenAddress: `127.0.0.1:${port}`, managementListenAddress: '' },
    ...{ certificate: certFile, privateKey: keyFile, httpPort, tlsPort },
    ...(lifetime !== undefined && { certificateValidityPeriod: lifetime }),
    ...(accounts && { externalAccountBindingRequired: true, externalAccountMACKeys: accounts }),
  };
  const config = join(folder, 'pebble.json');
  await writeFile(config, JSON.stringify({ pebble: settings }));
  const log: string[] = [];
  const off = ['-http01', '', '-https01', '', '-tlsalpn01', '', '-defaultIPv6', ''];
  const dns = ['-dns01', `127.0.0.1:${dnsPort}`, '-management', `127.0.0.1:${managementPort}`];
  const processes = [
    start(['/usr/bin/pebble-challtestsrv', ...dns, ...off], []),
    start(['/usr/bin/pebble', '-config', config, '-dnsserver', `127.0.0.1:${dnsPort}`], log),
  ];
  await Promise.all([port, managementPort].map(accepting));
  return {
    directory: `https://localhost:${port}/dir`,
    ca: caFile,
    get issued() {
      return log.join('').match(/Issued certificate serial/g)?.length ?? 0;
    },
    stop: async () => {
      await Promise.all(processes.map(end));
      await rm(folder, { recursive: true });
    },
  };
}

function start(command: readonly string[], log: string[]): ChildProcess {
  const [program, ...args] = boundToUs(command);
  const env = { ...process.env, PEBBLE_VA_NOSLEEP: '1', PEBBLE_AUTHZREUSE: '0' };
  const started = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  for (const stream of [started.stdout, started.stderr])
    stream.on('data', (text: Buffer) => log.push(text.toString()));
  return started;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}
