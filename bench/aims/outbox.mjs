/**
 * Logins with a token while an outbox is full and its gateway hangs, beside logins of a service that has no gateway: by turns, in
 * one process, on the embedded directory.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createService, Dn, totp } from '@watchword/core';
import { systemClock } from '@watchword/core/adapters/system';
import { openEmbedded } from '@watchword/core/engines';
import { median } from '../side-by-side.mjs';

const base = 'dc=example,dc=org';
const admin = { username: `uid=admin,${base}`, password: 'Adm1n-of-all' };
const users = Array.from({ length: 16 }, (_, index) => `user${index}`);
const [waiting, step] = [3000, 30];
const secretOf = (name) => Buffer.from(name.padEnd(20, '.'));

const settings = {
  ...{ manager_auth: 'DN', super_admins: [admin.username] },
  limits: { login_failure_delay_ms: 0 },
  settings: {
    'Otp.LoginMode': 'OTP',
  },
};

export async function measureOutbox({ plan, progress }) {
  const gateway = createServer(() => {}); // takes a request, and never answers
  await new Promise((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  const sms = {
    ...{ type: 'http', url: `http://127.0.0.1:${gateway.address().port}/`, allow_plain: true },
    json: { to: '{to}', text: '{text}' },
  };
  const messages = {
    deadline_s: 2,
    sms: { client_a_day: 1_000_000, a_day: 1_000_000, prefix_a_day: 1_000_000 },
  };
  const [without, full] = [await open(settings), await open({ ...settings, sms, messages })];
  try {
    progress(`outbox: ${waiting} messages to a gateway that hangs`);
    for (let number = 0; number < waiting; number += 1)
      await full.manager.Send_SMS({ to: `+4915${10_000_000 + number}`, message: 'Hello' });
    const times = [[], []];
    for (let round = 0; round <= 2 * plan.rounds; round += 1)
      for (const at of round % 2 ? [1, 0] : [0, 1]) times[at].push(await turn([without, full][at]));
    const [plain, busy] = times.map((all) => median(all.slice(1)));
    const each = (milliseconds) => (1000 * users.length * loginsOfTurn) / milliseconds;
    const ratios = times[0].slice(1).map((time, at) => time / times[1][at + 1]);
    return [
      { row: 'logins without a gateway', operationsPerSecond: each(plain), aim: '' },
      {
        row: `logins beside ${waiting} SMS and a gateway that hangs`,
        ratio: median(ratios),
        ratios: [Math.min(...ratios), Math.max(...ratios)],
        aim: '≥ 0.9',
        operationsPerSecond: each(busy),
      },
    ];
  } finally {
    for (const { close } of [without, full]) await close();
    gateway.closeAllConnections();
    gateway.close();
  }
}

/** Of each user. */
const loginsOfTurn = 25;

/** Time goes on by a step for each login, so that each has a code that is good now. @returns milliseconds */
async function turn({ service, clock }) {
  const begun = performance.now();
  for (let n = 0; n < loginsOfTurn; n += 1) {
    clock.ahead += step * 1000;
    const now = clock.now();
    const codes = users.map((name) => totp({ secret: secretOf(name), digits: 6, period: step }, now));
    const logins = users.map((username, at) =>
      service.web.otp.normalLogin({ username, otpPassword: codes[at] }),
    );
    for (const { code } of await Promise.all(logins))
      if (code !== 1) throw new Error(`A login was answered ${code}.`);
  }
  return performance.now() - begun;
}

async function open(config) {
  const folder = await mkdtemp(join(tmpdir(), 'watchword-bench-outbox-'));
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const engines = await openEmbedded(folder, { base, log, settings: config });
  const entry = {
    objectclass: ['inetOrgPerson'],
    cn: ['Admin'],
    sn: ['Admin'],
    userpassword: [admin.password],
  };
  await engines.directory.service.add(Dn.parse(admin.username), new Map(Object.entries(entry)));
  const { sms: _, ...rest } = config;
  const clock = { ...systemClock, ahead: 0, now: () => Date.now() + clock.ahead };
  const service = createService({ ...rest, domains: { Default: { base } } }, { ...engines, clock });
  const { manager, close } = await service.manager.login(admin);
  for (const uid of users) {
    const dn = `uid=${uid},${base}`;
    const attrs = { objectclass: ['inetOrgPerson', 'webadmAccount'], cn: uid, sn: uid };
    await manager.Create_LDAP_Object({ dn, attrs });
    await manager.Otp.TOTP_Register({ dn, key: secretOf(uid).toString('base64') });
  }
  return {
    ...{ service, manager, clock },
    close: async () => {
      await close();
      await service.close();
      await engines.close();
      await rm(folder, { recursive: true });
    },
  };
}
