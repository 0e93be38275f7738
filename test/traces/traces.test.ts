/** Spans of OpenTelemetry, where the embedding program has it: it hands its own tracer in, as the guide says. */
import { execFile } from 'node:child_process';
import { rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { scratchFolder } from '@watchword/core/testing/bed';
import { beforeAll, expect, it } from 'vitest';
import { fromSource } from '../guides/place.ts';

interface Span {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly status: number;
  readonly id: string;
  readonly trace: string;
  readonly parent?: string;
}

const program = fileURLToPath(new URL('program.ts', import.meta.url));

let printed: string;
let seen: Readonly<Record<'granted' | 'refused' | 'failed' | 'calls', readonly Span[]>>;
beforeAll(async () => {
  const folder = await scratchFolder('traces');
  const { stdout } = await promisify(execFile)(process.execPath, [...fromSource, program, folder]);
  await rm(folder, { recursive: true });
  printed = stdout;
  seen = JSON.parse(stdout);
});

const named = (spans: readonly Span[], name: string) => spans.find((span) => span.name === name);

it('a login is a span with its stages in it, within that of the program', () => {
  const own = named(seen.granted, 'a request');
  const login = named(seen.granted, 'watchword.login');
  expect(login).toMatchObject({
    attributes: { 'watchword.application': 'Otp', 'watchword.outcome': 'granted' },
    ...{ status: 0, parent: own?.id, trace: own?.trace },
  });
  const within = seen.granted.filter(({ parent }) => parent === login?.id).map(({ name }) => name);
  expect(within).toEqual(['find', 'admit', 'prove', 'commit'].map((stage) => `watchword.login.${stage}`));
});

it('a refused login is no error, and one that could not be written down is', () => {
  expect(named(seen.refused, 'watchword.login')).toMatchObject({
    attributes: { 'watchword.outcome': 'refused' },
    status: 0,
  });
  expect(named(seen.failed, 'watchword.login')).toMatchObject({
    attributes: { 'watchword.outcome': 'failed' },
    status: 2,
  });
});

it('a call to the Manager is a span with its method', () => {
  const calls = seen.calls.filter(({ name }) => name === 'watchword.call');
  const attributes = { 'rpc.system': 'jsonrpc', 'rpc.method': 'Get_User_Attrs' };
  expect(calls.map((call) => [call.attributes, call.status])).toEqual([
    [{ ...attributes, 'watchword.outcome': 'done' }, 0],
    [{ ...attributes, 'watchword.outcome': 'refused' }, 0],
  ]);
});

it('no span tells who logs in, or with what', () => {
  for (const secret of ['alice', 'Pa55', 'wrong']) expect(printed).not.toContain(secret);
});
