/** A real OpenSSH server on loopback, for tests: its own configuration, host key and port, and no user but the one who runs it. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { freePorts } from '@watchword/core/testing/bed';

const run = promisify(execFile);

export interface Sshd {
  /** Who can log in: whoever runs the test. */
  readonly account: string;
  /**
   * Runs a command over SSH with a private key. @returns what it prints; undefined: the key does not log in
   * @throws Error where something else is wrong
   */
  ssh(privateKey: string, command: string): Promise<string | undefined>;
  /** What it has logged. */
  logged(): string;
  close(): Promise<void>;
}

/** @param lines of `sshd_config`, beside where it listens and whom it lets in by what */
export async function startSshd(lines: readonly string[]): Promise<Sshd> {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-sshd-'));
  const account = userInfo().username;
  const hostKey = join(folder, 'host-key');
  await run('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-f', hostKey]);
  const [port] = await freePorts(1);
  const configuration = join(folder, 'sshd_config');
  const own = [
    ...[`Port ${port}`, 'ListenAddress 127.0.0.1', `HostKey ${hostKey}`, 'PidFile none', 'LogLevel VERBOSE'],
    ...['AuthorizedKeysFile none', 'PermitRootLogin yes', 'PasswordAuthentication no', 'UsePAM no'],
    ...['KbdInteractiveAuthentication no', 'StrictModes no'],
  ];
  await writeFile(configuration, `${[...own, ...lines].join('\n')}\n`);
  makePlace();
  const server = spawn('/usr/sbin/sshd', ['-D', '-e', '-f', configuration], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const log: string[] = [];
  await listening(server, log);
  let keys = 0;
  return {
    account,
    ssh: async (privateKey, command) => {
      keys += 1;
      const identity = join(folder, `identity-${keys}`);
      await writeFile(identity, privateKey.endsWith('\n') ? privateKey : `${privateKey}\n`, { mode: 0o600 });
      const options = [
        ...['-o', 'StrictHostKeyChecking=no', '-o', `UserKnownHostsFile=${join(folder, 'known')}`],
        ...[
          '-o',
          'IdentitiesOnly=yes',
          '-o',
          'IdentityAgent=none',
          '-o',
          'BatchMode=yes',
          '-o',
          'LogLevel=ERROR',
        ],
      ];
      const words = [
        '-F',
        'none',
        '-i',
        identity,
        ...options,
        '-p',
        String(port),
        `${account}@127.0.0.1`,
        command,
      ];
      try {
        return (await run('ssh', words, { timeout: 60_000 })).stdout;
      } catch (error) {
        if (String(error).includes('Permission denied')) return undefined;
        throw new Error(`ssh failed, and sshd said:\n${log.join('')}`, { cause: error });
      }
    },
    logged: () => log.join(''),
    close: async () => {
      const ended = once(server, 'exit');
      server.kill();
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

/** Makes the folder that sshd wants as root for its unprivileged half; the service of a machine makes it at its start. */
export function makePlace(): void {
  if (userInfo().uid === 0) mkdirSync('/run/sshd', { recursive: true });
}

function listening(server: ChildProcess, log: string[]): Promise<void> {
  return new Promise((resolve, reject) => {
    server.stderr?.setEncoding('utf8').on('data', (text: string) => {
      log.push(text);
      if (log.join('').includes('Server listening')) resolve();
    });
    server.on('exit', () => reject(new Error(`sshd did not start: ${log.join('')}`)));
  });
}
