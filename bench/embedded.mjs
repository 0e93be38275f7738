/**
 * The embedded directory at 1,000, 10,000 and 100,000 users: load, look-ups, memory. A look-up by `uid` has to
 * cost the same at every size. Needs `pnpm build`; run with `node --expose-gc bench/embedded.mjs [sizes…]`.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Dn, parseFilter } from '@watchword/core';
import { openDirectory, openEnvironment } from '@watchword/core/adapters/embedded';
import { systemClock, systemRandom } from '@watchword/core/adapters/system';

const base = Dn.parse('dc=example,dc=org');
const sizes = process.argv.slice(2).map(Number);

function* ldif(users) {
  yield 'dn: ou=people,dc=example,dc=org\nobjectClass: organizationalUnit\nou: people\n\n';
  for (let n = 0; n < users; n += 1) {
    yield `dn: uid=user${n},ou=people,dc=example,dc=org
objectClass: inetOrgPerson
objectClass: webadmAccount
uid: user${n}
cn: Person Number ${n}
sn: Number${n}
givenName: Person
mail: user${n}@example.org
mobile: +1555${String(n).padStart(7, '0')}
userPassword: {SSHA}bm90IGEgcmVhbCBoYXNoIGF0IGFsbA==

`;
  }
}

/** Milliseconds that each of `times` calls takes. */
async function each(times, call) {
  const start = performance.now();
  for (let n = 0; n < times; n += 1) await call(n);
  return (performance.now() - start) / times;
}

async function measure(users) {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-bench-'));
  const environment = await openEnvironment(folder);
  const ports = { clock: systemClock, random: systemRandom };
  const directory = await openDirectory(environment, { base, writers: [] }, ports);
  const { service } = directory;
  const search = (text, limit) => service.search({ base, scope: 'sub', filter: parseFilter(text), ...limit });
  const some = (n) => (n * 7919) % users;

  const load = await each(1, () => directory.importLdif(ldif(users)));
  const row = {
    users,
    'load users/s': Math.round((users / load) * 1000),
    'uid= ms': await each(500, (n) => search(`(&(objectClass=person)(uid=user${some(n)}))`)),
    'login filter ms': await each(500, (n) =>
      search(`(|(uid=user${some(n)})(samaccountname=user${some(n)}))`),
    ),
    'mail=*… ms': await each(50, (n) => search(`(mail=*ser${some(n)}@exa*)`)),
    'read ms': await each(500, (n) => service.read(Dn.parse(`uid=user${some(n)},ou=people,${base}`))),
    'scan ms': await each(1, () => search('(description=nothing)')),
    'all ms': await each(1, () => search('(objectClass=person)')),
    'modify ms': await each(100, (n) =>
      service.modify(Dn.parse(`uid=user${some(n)},ou=people,${base}`), [
        { operation: 'replace', attribute: 'description', values: [`changed ${n}`] },
      ]),
    ),
  };
  globalThis.gc?.();
  row['heap MB'] = Math.round(process.memoryUsage().heapUsed / 1e6);
  await environment.close();
  await rm(folder, { recursive: true });
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      Number.isInteger(value) ? value : Number(value.toFixed(3)),
    ]),
  );
}

const rows = [];
for (const users of sizes.length > 0 ? sizes : [1_000, 10_000, 100_000]) rows.push(await measure(users));
console.table(rows);
