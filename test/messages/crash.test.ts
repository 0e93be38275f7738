/**
 * A process that is killed between taking messages over and sending them: each that was answered reaches the gateway, and what
 * reaches it twice has one id.
 *
 * Seen to fail with the guard taken out: in messaging/outbox.ts, let `send` answer before the settlement; in messaging/delivery-worker.ts, take
 * a message out of the store before the gateway has it.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openOutbox } from './outbox-ground.ts';

let gateway: Server;
let url: string;
/** What the gateway took over: ids by text. */
let taken = new Map<string, string[]>();
let answer: (response: ServerResponse, take: () => void) => void;

beforeAll(async () => {
  gateway = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      const { text } = JSON.parse(Buffer.concat(pieces).toString()) as { text: string };
      const id = String(request.headers['idempotency-key']);
      answer(response, () => taken.set(text, [...(taken.get(text) ?? []), id]));
    });
  });
  await new Promise<void>((resolve) => gateway.listen(0, '127.0.0.1', resolve));
  const address = gateway.address();
  url = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
});
afterAll(() => {
  gateway.closeAllConnections();
  gateway.close();
});

function start(folder: string, first: number): ChildProcess {
  const loader = new URL('../../scripts/typescript-loader.mjs', import.meta.url).href;
  const register = `data:text/javascript,import{register}from"node:module";register(${JSON.stringify(loader)})`;
  return fork(fileURLToPath(new URL('outbox-child.ts', import.meta.url)), [folder, url, String(first)], {
    execArgv: ['--conditions=watchword-source', '--import', register],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
}

/** The numbers of the messages that a child had answered before it was killed. */
async function crash(folder: string, first: number, count: number): Promise<readonly number[]> {
  const child = start(folder, first);
  const results: number[] = [];
  child.on('message', (number) => {
    results.push(Number(number));
    if (results.length === count) child.kill('SIGKILL');
  });
  await once(child, 'exit');
  expect(child.signalCode).toBe('SIGKILL');
  return results;
}

describe('a process that is killed while messages wait', () => {
  it.each([
    ['hangs', () => {}],
    [
      'takes some over and hangs up',
      (response: ServerResponse, take: () => void) => {
        take();
        response.destroy();
      },
    ],
    [
      'fails every other time',
      (response: ServerResponse, take: () => void) => {
        const isTaken = taken.size % 2 === 0;
        if (isTaken) take();
        response.writeHead(isTaken ? 200 : 503).end();
      },
    ],
  ])('loses none of them, where the gateway %s', async (_, badly) => {
    taken = new Map();
    answer = badly;
    const folder = await mkdtemp(join(tmpdir(), 'watchword-outbox-'));
    const results = [...(await crash(folder, 0, 15)), ...(await crash(folder, 1000, 15))];
    answer = (response, take) => {
      take();
      response.end();
    };
    const { close } = await openOutbox(folder, url);
    const missing = () => results.filter((number) => !taken.has(`message ${number}`));
    // A try that was under way when its process died may be due again later.
    await expect.poll(missing, { timeout: 120_000 }).toEqual([]);
    expect([...taken.values()].filter((ids) => new Set(ids).size !== 1)).toEqual([]);
    await close();
    await rm(folder, { recursive: true });
  });
});
