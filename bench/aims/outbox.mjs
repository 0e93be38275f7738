/**
 * Logins with a token while an outbox is full and its gateway hangs, beside logins of a service that has no gateway: by turns, in
 * one process, on the embedded directory. Then the gateway answers, and the outbox becomes empty.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { json } from 'node:stream/consumers';
import { setTimeout as wait } from 'node:timers/promises';
import { totp } from '@watchword/core';
import { median } from '../side-by-side.mjs';
import { open, secretOf, settings, users } from './in-process.mjs';

const step = 30;
export async function measureOutbox({ plan, progress }) {
  const { waiting } = plan;
  const held = [];
  const answered = new Set();
  let answers = false;
  const gateway = createServer(async (request, response) => {
    const { to } = await json(request);
    if (!answers) return held.push(response);
    answered.add(to);
    response.end();
  });
  gateway.listen(0, '127.0.0.1');
  await once(gateway, 'listening');
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
    for (let number = 0; number < waiting; number += together)
      await Promise.all(
        Array.from({ length: Math.min(together, waiting - number) }, (_, at) =>
          full.manager.Send_SMS({ to: `+4915${10_000_000 + number + at}`, message: 'Hello' }),
        ),
      );
    const times = [[], []];
    for (let round = 0; round <= 2 * plan.rounds; round += 1)
      for (const at of round % 2 ? [1, 0] : [0, 1]) times[at].push(await turn([without, full][at]));
    const [plain, busy] = times.map((all) => median(all.slice(1)));
    progress('outbox: the gateway answers');
    answers = true;
    const delays = monitorEventLoopDelay({ resolution: 1 });
    delays.enable();
    const begun = performance.now();
    for (const response of held) response.destroy();
    while (answered.size < mostOf * waiting) await wait(20);
    const drained = performance.now() - begun;
    delays.disable();
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
      { row: 'messages that go out', operationsPerSecond: (1000 * mostOf * waiting) / drained, aim: '' },
      { row: 'longest turn of the event loop meanwhile, ms', ratio: delays.max / 1e6, aim: '' },
    ];
  } finally {
    for (const { close } of [without, full]) await close();
    gateway.closeAllConnections();
    gateway.close();
  }
}

/** The others have been tried in vain, and wait for their next try. */
const mostOf = 0.95;
/** Messages that are asked for at a time. */
const together = 100;

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
