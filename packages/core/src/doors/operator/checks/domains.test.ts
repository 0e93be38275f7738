/** Cost of the check of a domain for its directory. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openLdapDirectory } from '../../../../../ldap/src/index.ts';
import { systemClock } from '../../../../../node/src/machine/index.ts';
import { Domains } from '../../../directory/domain.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import type { DirectoryServer } from '../../../ports/directory/directory.ts';
import { type Slapd, startSlapd } from '../../../testing/bed/engines/slapd.ts';
import { type Fixture, openFixture } from '../../../testing/bed/fixture.ts';
import { KeptLog } from '../../../testing/kept-log.ts';
import { domainFindings } from './domains.ts';

let slapd: Slapd;
let directory: DirectoryServer;
let fixture: Fixture;
beforeAll(async () => {
  slapd = await startSlapd({ users: 12 });
  const { readerDn: bind_dn, readerPassword: bind_password, ldapsUrl, ca, base } = slapd;
  const ports = { clock: systemClock, log: new KeptLog() };
  directory = openLdapDirectory({ urls: [ldapsUrl], ca, bind_dn, bind_password, base }, ports);
  const config = { domains: { Default: { base } }, super_admins: [slapd.adminDn] };
  fixture = await openFixture({ config, ports: () => ({ directory }) });
});
afterAll(async () => {
  await fixture.close();
  await slapd.stop();
});

/** The same, but for what is given; its methods know no other `this`. */
const instead = <T extends object>(of: T, given: Partial<T>): T =>
  new Proxy(of, {
    get: (_, name) => {
      const value: unknown = Reflect.get(name in given ? given : of, name);
      return typeof value === 'function' ? value.bind(of) : value;
    },
  });

it.each([
  [true, [14, 12]],
  [false, [5, 5]],
])('users that are read where somebody wants to know how many there are: %s', async (counts, entries) => {
  const read: number[] = [];
  const service = instead(directory.service, {
    search: async (request) => {
      const found = await directory.service.search(request);
      read.push(found.length);
      return found;
    },
  });
  const { config } = fixture.core;
  const [domain] = new Domains(config).all;
  if (!domain) return expect.unreachable('there is a domain');
  const view = {
    schema: config.schema,
    directory: instead(directory, { service }),
    bases: [Dn.parse(slapd.base)],
    counts,
    resets: undefined,
  };
  const findings = await domainFindings(domain, view);
  expect(read).toEqual(entries);
  expect(findings.map(({ level }) => level)).toEqual(['found', 'warning']);
});
