/** A certificate that ends soon: the log warns, and the operators get a mail. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runServer } from '@watchword/cli';
import { readMessage } from '@watchword/core/testing/bed';
import { systemClock, systemRandom } from '@watchword/node';
import { createAuthority, issueServerCertificate } from '@watchword/pki';
import { expect, it } from 'vitest';
import { webServiceCommand } from './options.ts';

const base = 'dc=example,dc=org';
const ports = { clock: systemClock, random: systemRandom };

it('mails the operators of a running server when its certificate ends in five days', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-ends-'));
  const authority = await createAuthority({ commonName: 'Example CA', days: 30 }, ports);
  const names = ['login.example.org'];
  const { certificate, key } = await issueServerCertificate(
    authority,
    { names, addresses: [], days: 5 },
    ports,
  );
  await writeFile(join(folder, 'server.pem'), certificate);
  await writeFile(join(folder, 'server.key'), key, { mode: 0o600 });
  const file = join(folder, 'watchword.yaml');
  const settings = {
    data: 'data',
    directory: { type: 'embedded', base },
    domains: { Default: { base } },
    super_admins: [`uid=admin,${base}`],
    ws: { port: 0, certificate: 'server.pem', key: 'server.key' },
    mail: { type: 'folder', folder: 'mails' },
    messages: { operator: 'ops@example.org' },
  };
  await writeFile(file, JSON.stringify(settings), { mode: 0o600 });
  let stop = (_signal: string): void => undefined;
  const asked = new Promise<string>((resolve) => {
    stop = resolve;
  });
  const log: string[] = [];
  const code = runServer(webServiceCommand, {
    ...{ arguments: ['--config', file], environment: {}, asked },
    ...{ print: () => undefined, printError: () => undefined, logTo: { write: (line) => log.push(line) } },
  });
  try {
    const mail = await readMessage(join(folder, 'mails'), /[\s\S]*The certificate of the listener ws[\s\S]*/);
    expect(mail).toContain('ops@example.org');
    expect(log.join('')).toMatch(/WARN .*the certificate of ws ends at 20.*: renew its files/);
  } finally {
    stop('SIGTERM');
    expect(await code).toBe(0);
    await rm(folder, { recursive: true });
  }
}, 90_000);
