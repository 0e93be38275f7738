/**
 * The child of `crash.test.ts`: writes to an environment, and reports each acknowledged write until it is killed. As `hasty` it reports before
 * the acknowledgement, as a server without a flush would.
 */
import { Dn } from '../../../core/src/foundation/text/dn.ts';
import { systemClock, systemRandom } from '../../../node/src/machine/index.ts';
import { openDirectory, openEnvironment, openEphemeral, openEventLog, openLedger } from '../index.ts';

const [folder = '', mode] = process.argv.slice(2);
const base = Dn.parse('dc=example,dc=org');
const environment = await openEnvironment(folder);
const directory = await openDirectory(environment, { base }, { clock: systemClock, random: systemRandom });
const ephemeral = await openEphemeral(folder, 'this-run');
const events = await openEventLog(environment);
const store = openLedger({ lasting: environment, ephemeral }, systemClock, events);
const event = { client: '-', application: 'Manager', session: 'AAAAAAAA' };

async function writeOne(n: number): Promise<void> {
  const dn = base.child([{ type: 'cn', value: `user ${n}` }]);
  await directory.service.add(
    dn,
    new Map([
      ['objectclass', ['person']],
      ['sn', [String(n)]],
    ]),
  );
  await store.commit({
    durable: [`value:${n}`, 'claim'],
    decide: () => ({
      result: n,
      values: [[`value:${n}`, { value: Buffer.from(String(n)), seconds: 3600 }]],
      claims: [{ key: 'claim', value: n, seconds: 3600 }],
      events: [{ ...event, time: n, text: `event ${n}` }],
    }),
  });
}

process.once('disconnect', () => process.exit()); // the test run has ended
const answered = (n: number): boolean => process.send?.(n) ?? false;

for (let n = 0; ; n += 1) {
  const writing = writeOne(n);
  if (mode === 'hasty') answered(n);
  await writing;
  if (mode !== 'hasty') answered(n);
}
