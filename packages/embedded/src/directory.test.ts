import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Dn } from '../../core/src/foundation/text/dn.ts';
import {
  type DirectoryFixture,
  directoryContract,
} from '../../core/src/testing/contracts/directory-contract.ts';
import { systemClock, systemRandom } from '../../node/src/machine/index.ts';
import { type DirectoryOptions, openDirectory, openEnvironment } from './index.ts';

const base = Dn.parse('dc=example,dc=org');
const administrator = Dn.parse('cn=administrator,dc=example,dc=org');
const reader = Dn.parse('cn=reader,dc=example,dc=org');

/** Opens a directory with two users. */
async function open(options: DirectoryOptions): Promise<DirectoryFixture> {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-directory-'));
  const environment = await openEnvironment(folder);
  const ports = { clock: systemClock, random: systemRandom };
  const server = await openDirectory(environment, options, ports);
  server.setWriters([administrator]);
  for (const [dn, password] of [
    [administrator, 'Adm1nistrator!'],
    [reader, 'R3ad-only!'],
  ] as const) {
    const attributes = { objectclass: ['inetOrgPerson'], sn: ['x'], userpassword: [password] };
    await server.service.add(dn, new Map(Object.entries(attributes)));
  }
  return {
    server,
    base,
    admin: { dn: administrator, password: 'Adm1nistrator!' },
    reader: { dn: reader, password: 'R3ad-only!' },
    async dispose() {
      await server.close();
      await environment.close();
      await rm(folder, { recursive: true });
    },
  };
}

directoryContract('embedded', () => open({ base }));
directoryContract('embedded, all updates by the writer process', () => open({ base, largeFrom: 0 }));
