import { type Fixture, openFixture } from '@watchword/core/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createWebServiceHandler } from './handler.ts';

let fixture: Fixture;
beforeAll(async () => {
  fixture = await openFixture();
});
afterAll(() => fixture.close());

const get = (path: string) =>
  createWebServiceHandler(fixture.service)(new Request(`https://localhost:8443${path}`), {
    address: '192.0.2.1',
    port: 1,
  });

describe('createWebServiceHandler', () => {
  it('says what it is, and that it is well', async () => {
    expect(await (await get('/')).text()).toMatch(/^Watchword web services \d+\.\d+\.\d+\n$/);
    expect((await get('/healthz')).status).toBe(200);
    expect((await get('/readyz')).status).toBe(200);
  });

  it('has no services yet, and no Manager', async () => {
    for (const path of ['/otp/', '/otp?wsdl', '/manag/']) expect((await get(path)).status).toBe(404);
  });
});
