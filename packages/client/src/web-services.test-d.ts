/** Types of calls that compile, and calls that do not. The compiler checks the file; nothing runs. */
import type { WebCalls } from '@watchword/core';
import { describe, expectTypeOf, it } from 'vitest';
import type { LoginResponse, OperationFunctions, WebServices } from './calls.ts';
import type { Outcome } from './outcome.ts';
import { createWebServices } from './web-services.ts';

declare const web: WebServices;
declare const answer: LoginResponse;
const url = 'https://localhost:8443/';

describe('an operation', () => {
  it('has the fields of its row', () => {
    web.otp.normalLogin({ username: 'alice', domain: 'Default', ldapPassword: 'x', otpPassword: '012345' });
    web.otp.challenge({ username: 'alice', session: 'x', otpPassword: '012345' });
    web.otp.simpleLogin({ username: 'alice', anyPassword: 'x012345', source: '192.0.2.1' });
    web.otp.challenge({ username: 'alice', session: 'x', voiceSample: new Uint8Array(3) });
    // @ts-expect-error no such field
    web.otp.normalLogin({ username: 'alice', password: 'x' });
    // @ts-expect-error the field of another operation
    web.otp.simpleLogin({ username: 'alice', ldapPassword: 'x' });
    // @ts-expect-error another name of a field, which servers understand
    web.otp.normalLogin({ username: 'alice', otp: '012345' });
    // @ts-expect-error a code is a text, which may begin with zeros
    web.otp.normalLogin({ username: 'alice', otpPassword: 12345 });
    // @ts-expect-error bytes are no text
    web.otp.challenge({ voiceSample: 'x' });
  });

  it('may go without its fields', () => {
    web.otp.status();
    // @ts-expect-error it has none
    web.otp.status({ username: 'alice' });
  });

  it('takes the options of a call behind its fields', () => {
    web.otp.normalLogin({ username: 'alice' }, { timeout: 100, signal: new AbortController().signal });
    web.otp.status(undefined, { timeout: 100 });
    // @ts-expect-error no such option
    web.otp.status({}, { retries: 3 });
  });

  it('exists', () => {
    // @ts-expect-error misspelt
    web.otp.normallogin({});
    // @ts-expect-error a wire name
    web.otp.otpNormalLogin({});
    // @ts-expect-error no such service
    web.nonsense.status();
  });

  it('is that of the core, whatever the table will hold', () => {
    expectTypeOf<keyof WebServices>().toEqualTypeOf<keyof WebCalls>();
    expectTypeOf<keyof WebServices['otp']>().toEqualTypeOf<keyof WebCalls['otp']>();
  });
});

describe('what came of a login', () => {
  it('is the same for all operations that log in', () => {
    expectTypeOf(web.otp.normalLogin()).resolves.toEqualTypeOf<LoginResponse>();
    expectTypeOf(web.otp.simpleLogin()).resolves.toEqualTypeOf<LoginResponse>();
    expectTypeOf(web.otp.login()).resolves.toEqualTypeOf<LoginResponse>();
    expectTypeOf(web.otp.challenge()).resolves.toEqualTypeOf<LoginResponse>();
  });

  it('is told by a word', () => {
    expectTypeOf(answer.outcome).toEqualTypeOf<Outcome>();
    switch (answer.outcome) {
      case 'granted':
        expectTypeOf(answer.concat).toEqualTypeOf<number>();
        expectTypeOf(answer.code).toEqualTypeOf<1>();
        // @ts-expect-error only a challenge has a session
        return answer.session;
      case 'challenge':
        expectTypeOf(answer.session).toEqualTypeOf<string>();
        return expectTypeOf(answer.timeout).toEqualTypeOf<number>();
      case 'refused':
        return expectTypeOf(answer.error).toEqualTypeOf<
          'AuthFailed' | 'BadRequest' | 'NoSession' | 'ServerError'
        >();
      default:
        return expectTypeOf(answer).toEqualTypeOf<never>();
    }
  });

  it('of a certificate is no challenge', () => {
    expectTypeOf(web.otp.pkiLogin())
      .resolves.toHaveProperty('outcome')
      .toEqualTypeOf<'granted' | 'refused'>();
    // @ts-expect-error the status is no login
    web.otp.status().then(({ outcome }) => outcome);
  });

  it('is told by its code', () => {
    expectTypeOf(answer.code).toEqualTypeOf<0 | 1 | 2>();
    if (answer.code === 1) expectTypeOf(answer.concat).toEqualTypeOf<number>();
    if (answer.code === 2) {
      expectTypeOf(answer.session).toEqualTypeOf<string>();
      expectTypeOf(answer.timeout).toEqualTypeOf<number>();
      expectTypeOf(answer.otpChallenge).toEqualTypeOf<
        'TOKEN' | 'LIST' | 'SMS' | 'MAIL' | 'EMERG' | undefined
      >();
      expectTypeOf(answer.u2fChallenge).toEqualTypeOf<string | undefined>();
    }
    if (answer.code === 0)
      expectTypeOf(answer.error).toEqualTypeOf<'AuthFailed' | 'BadRequest' | 'NoSession' | 'ServerError'>();
    // @ts-expect-error only a challenge has a session
    answer.session;
  });
});

describe('bytes', () => {
  interface Table {
    readonly otp: { readonly seal: (request?: { file: Uint8Array }) => Promise<{ file?: Uint8Array }> };
  }

  it('are sent as bytes, and answered in base64', () => {
    type Seal = OperationFunctions<Table>['otp']['seal'];
    expectTypeOf<Seal>().parameter(0).toEqualTypeOf<{ file: Uint8Array } | undefined>();
    expectTypeOf<Awaited<ReturnType<Seal>>>().toEqualTypeOf<{ readonly file?: string }>();
  });
});

describe('the options', () => {
  it('are an address, and what else is wanted', () => {
    createWebServices({ url });
    createWebServices({ url, apiKey: '7_x', names: { otp: 'exampleotp' }, timeout: 100 });
    // @ts-expect-error no address
    createWebServices({ apiKey: '7_x' });
    // @ts-expect-error no such service
    createWebServices({ url, names: { nonsense: 'x' } });
    // @ts-expect-error the Manager's
    createWebServices({ url, username: 'admin' });
  });
});
