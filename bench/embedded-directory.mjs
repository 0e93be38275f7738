/**
 * The embedded directory at several sizes, side by side: all are loaded first, then every task has its turn
 * on each of them, over and over. What costs the same at every size has a ratio of 1.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Dn, parseFilter } from '@watchword/core';
import { openDirectory, openEnvironment } from '@watchword/embedded';
import { systemClock, systemRandom } from '@watchword/node';
import { userAt } from './operations.mjs';
import { median } from './side-by-side.mjs';

const base = Dn.parse('dc=example,dc=org');
const tasksPerTurn = 100;
const warmUpTurns = 5;
/** Users that have the same `ou`, at every size. */
const sharing = 10;

/**
 * What is done, each time to another user; the number at the end of a name is how many are found, at every size.
 * How many have three characters of a piece, which is what its search costs, grows little in `ou`, more in `sn`,
 * and as the directory in `mail`.
 */
const tasks = {
  'read by DN': ({ service }, user) => service.read(Dn.parse(`uid=user${user},ou=people,${base}`)),
  '(uid=…)': (directory, user) => finds(directory, `(uid=user${user})`, 1),
  'login filter': (directory, user) =>
    finds(directory, `(|(uid=user${user})(samaccountname=user${user}))`, 1),
  '(ou=*…*), 10': (directory, user) => finds(directory, `(ou=*${team(user, directory)}*)`, sharing),
  '(sn=*…*), 1': (directory, user) => finds(directory, `(sn=*${letters(user)}*)`, 1),
  '(mail=*ser…@*), 1': (directory, user) => finds(directory, `(mail=*ser${user}@*)`, 1),
  '(mail=*…@*), 0': (directory, user) => finds(directory, `(mail=*${user}${directory.users - 1}@*)`, 0),
  '(mail=*example*), over 100': (directory) => findsTooMany(directory, '(mail=*example*)', 100),
  modify: ({ service }, user) =>
    service.modify(Dn.parse(`uid=user${user},ou=people,${base}`), [
      { operation: 'replace', attribute: 'description', values: [`changed at ${performance.now()}`] },
    ]),
};

/** @returns a list of {users, importPerUser, tasks: name → {microseconds, ratio}}, the smallest size first */
export async function measureEmbedded({ plan, progress }) {
  const directories = [];
  try {
    for (const users of plan.embeddedUsers) directories.push(await load(users, progress));
    const times = await takeTurns(directories, { rounds: plan.embeddedRounds, progress });
    return directories.map(({ users, importPerUser }, index) => ({
      users,
      importPerUser,
      tasks: Object.fromEntries(
        Object.entries(times).map(([name, ofSizes]) => [name, inRatio(ofSizes[index], ofSizes[0])]),
      ),
    }));
  } finally {
    for (const { close } of directories) await close();
  }
}

async function load(users, progress) {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-bench-'));
  const environment = await openEnvironment(folder);
  const ports = { clock: systemClock, random: systemRandom };
  const directory = await openDirectory(environment, { base, writers: [] }, ports);
  const onProgress = (entries) => {
    if (entries % 10_000 === 0) progress(`embedded directory: ${entries} of ${users} users loaded`);
  };
  const began = performance.now();
  await directory.importLdif(ldif(users), { onProgress });
  return {
    users,
    service: directory.service,
    importPerUser: ((performance.now() - began) * 1000) / users,
    close: async () => {
      await environment.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** name → for each directory the microseconds of one task, one number a round */
async function takeTurns(directories, { rounds, progress }) {
  const times = {};
  for (const [name, task] of Object.entries(tasks)) {
    progress(`embedded directory: ${name}`);
    times[name] = directories.map(() => []);
    for (const directory of directories) await warmUp(directory, task);
    for (let round = 0; round < rounds; round += 1) {
      for (const [index, directory] of directories.entries()) {
        times[name][index].push(await oneTurn(directory, task, round));
      }
    }
  }
  return times;
}

/** Until V8 has compiled what is hot, and the pages of the database are mapped. */
async function warmUp(directory, task) {
  for (let turn = 1; turn <= warmUpTurns; turn += 1) await oneTurn(directory, task, -turn);
}

async function oneTurn(directory, task, round) {
  const began = performance.now();
  for (let turn = 0; turn < tasksPerTurn; turn += 1) {
    await task(directory, userAt(turn, { users: directory.users, client: round + 100 }));
  }
  return ((performance.now() - began) * 1000) / tasksPerTurn;
}

function inRatio(times, toTimes) {
  return { microseconds: median(times), ratio: median(times.map((time, round) => time / toTimes[round])) };
}

async function finds({ service }, filter, wanted) {
  const found = await service.search({ base, scope: 'sub', filter: parseFilter(filter) });
  if (found.length !== wanted) throw new Error(`${filter} found ${found.length}, not ${wanted}`);
}

async function findsTooMany({ service }, filter, limit) {
  const searching = service.search({ base, scope: 'sub', filter: parseFilter(filter), limit });
  const reason = await searching.then(
    () => 'none',
    (error) => error.reason,
  );
  if (reason !== 'too_large') throw new Error(`${filter} was not refused`);
}

function* ldif(users) {
  yield `dn: ou=people,${base}\nobjectClass: organizationalUnit\nou: people\n\n`;
  for (let user = 0; user < users; user += 1) {
    yield `dn: uid=user${user},ou=people,${base}
objectClass: inetOrgPerson
objectClass: webadmAccount
uid: user${user}
cn: Person Number ${user}
sn: ${letters(user)}
ou: ${team(user, { users })}
givenName: Person
mail: user${user}@example.org
mobile: +1555${String(user).padStart(7, '0')}
userPassword: {SSHA}bm90IGEgcmVhbCBoYXNoIGF0IGFsbA==

`;
  }
}

/** What is common to ten users, far from each other. */
function team(user, { users }) {
  return letters(user % (users / sharing));
}

/** Five letters that are nobody else's. */
function letters(user) {
  const places = Array.from({ length: 5 }, (_, place) => Math.floor((user * 7_654_321) / 26 ** place) % 26);
  return places.map((letter) => String.fromCharCode(97 + letter)).join('');
}
