/** Size limits of requests, by caller and operation, and the answers of an overloaded server. */
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ServiceError } from '../../foundation/errors/errors.ts';
import type { Page } from '../../table/page.ts';
import { envelopeOf, openEcho, type WebAsking } from '../../testing/bed/children/echo.ts';
import { type Fixture, openFixture } from '../../testing/bed/fixture.ts';

const secret = '0123456789abcdef0123456789abcdef01234567';
const api_keys = { '7': { sha256: createHash('sha256').update(secret).digest('hex') } };

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture({ config: { api_keys } });
});
afterAll(() => fixture.close());

const trusted = { 'x-api-key': `7_${secret}` };
/** Makes a request of exactly that size, in bytes. */
const json = (bytes: number): WebAsking => ({ body: '{"username":"a"}'.padEnd(bytes) });
const soap = (operation: string, bytes: number): WebAsking => ({
  body: envelopeOf(`<${operation}><username>a</username></${operation}>`).padEnd(bytes),
});

/** Size that an operation accepts which sets its own limit. */
const large = 100_000;

const doors = {
  REST: { ask: (operation: string, bytes: number) => [`/otp/json/${operation}/`, json(bytes)], refused: 413 },
  SOAP: { ask: (operation: string, bytes: number) => ['/otp/', soap(operation, bytes)], refused: 500 },
} as const;

describe.each(['REST', 'SOAP'] as const)('a body of %s', (door) => {
  const { ask, refused } = doors[door];
  async function statusOf(operation: string, bytes: number, headers = {}, core = fixture.core) {
    const [path, asking] = ask(operation, bytes) as [string, WebAsking];
    return (await openEcho(core, {}, { body: large }).ask(path, { ...asking, headers })).status;
  }

  it('has at most 64 KiB, whoever sends it', async () => {
    for (const headers of [{}, trusted]) {
      expect(await statusOf('otpEcho', 65_536, headers)).toBe(200);
      expect(await statusOf('otpEcho', 65_537, headers)).toBe(refused);
    }
  });

  it('has more where the row of the operation says so and the caller is trusted', async () => {
    expect(await statusOf('otpLarge', large, trusted)).toBe(200);
    expect(await statusOf('otpLarge', large + 1, trusted)).toBe(refused);
    expect(await statusOf('otpLarge', 65_536)).toBe(200);
    expect(await statusOf('otpLarge', 65_537)).toBe(refused);
  });

  it('has no more than body_bytes', async () => {
    const limits = { ...fixture.core.config.limits, body_bytes: 2000 };
    const core = { ...fixture.core, config: { ...fixture.core.config, limits } };
    for (const operation of ['otpEcho', 'otpLarge']) {
      expect(await statusOf(operation, 2000, trusted, core)).toBe(200);
      expect(await statusOf(operation, 2001, trusted, core)).toBe(refused);
    }
  });
});

it('has no field that is longer than 64 KiB', async () => {
  const body = JSON.stringify({ username: 'a'.repeat(65_537) });
  const { ask } = openEcho(fixture.core, {}, { body: large });
  const response = await ask('/otp/json/otpLarge/', { body, headers: trusted });
  expect([response.status, JSON.parse(String(response.body))]).toEqual([
    200,
    { code: 0, error: 'invalid_params' },
  ]);
});

it('is no longer for a page', async () => {
  const read: number[] = [];
  const page: Page = async ({ body }) => {
    read.push((await body()).length);
    return { status: 200, headers: {}, body: '' };
  };
  const { ask } = openEcho(fixture.core, { form: page }, { body: large });
  expect((await ask('/otp/form', { body: 'x'.repeat(65_536), headers: trusted })).status).toBe(200);
  expect((await ask('/otp/form', { body: 'x'.repeat(65_537), headers: trusted })).status).toBe(413);
  expect(read).toEqual([65_536]);
});

describe('an operation that is turned away', () => {
  const busy = new ServiceError('unavailable', { detail: 'too many', retryAfter: 3 });
  const down = new ServiceError('unavailable', { detail: 'the directory is down' });
  const answerTo = (path: string, asking: WebAsking, error: ServiceError) => {
    const before = () => {
      throw error;
    };
    return openEcho(fixture.core, {}, { before }).ask(path, asking);
  };

  it.each([
    ['REST', '/otp/json/otpEcho/', json(20), '"error":"unavailable"'],
    ['SOAP', '/otp/', soap('otpEcho', 200), '<error>unavailable</error>'],
  ])('is 503 with Retry-After and the words of the service: %s', async (_, path, asking, words) => {
    const { status, headers, body } = await answerTo(path, asking, busy);
    expect([status, headers['retry-after']]).toEqual([503, '3']);
    expect(String(body)).toContain(words);
  });

  it('is no failure, which has its words and 200', async () => {
    fixture.log.lines.length = 0;
    expect((await answerTo('/otp/json/otpEcho/', json(20), busy)).status).toBe(503);
    expect(fixture.log.lines.map(({ level }) => level)).toEqual(['info']);
    const { status, headers } = await answerTo('/otp/json/otpEcho/', json(20), down);
    expect([status, headers['retry-after']]).toEqual([200, undefined]);
    expect(fixture.log.lines.map(({ level }) => level)).toEqual(['info', 'error']);
  });
});
