/** The rows of the operation table for one-time passwords and login. */

import { statusOperation } from '../../administration/status/service-status.ts';
import { refusalsOf } from '../../foundation/errors/refusal-table.ts';
import { challengeFields } from '../../login/challenge.ts';
import { answerChallenge, login, loginWithCertificate } from '../../login/login.ts';
import type { LoginOutcome, LoginRefusal, LoginResponse } from '../../login/request.ts';
import type { CertificateCall, LoginCall } from '../../login/view.ts';
import type { Dialect } from '../../table/dialect.ts';
import {
  alsoCalled,
  bytesField,
  extensionField,
  ignoredField,
  integerField,
  notedField,
  textField,
} from '../../table/field.ts';
import { operation, type Values } from '../../table/operation.ts';

const who = { username: textField, domain: textField };
const caller = { client: textField, source: textField, settings: textField, options: textField };
const repeated = {
  context: ignoredField(textField),
  retryId: notedField(
    'of trusted callers: the same request with the same text gets the same answer again within 30 s',
    textField,
  ),
  virtual: ignoredField(textField),
};
/** The specification calls it `otp`. */
const codeField = alsoCalled('otp', textField);
const normalLogin = { ...who, ldapPassword: textField, otpPassword: codeField, ...caller, ...repeated };

const verdict = { code: integerField, error: textField, message: textField };
const loginAnswer = {
  ...verdict,
  session: textField,
  username: extensionField(textField),
  domain: extensionField(textField),
  data: textField,
  concat: integerField,
  timeout: integerField,
  otpChallenge: textField,
  u2fChallenge: textField,
  offlineState: textField,
  u2fDataState: textField,
};

const { refusal, refuse } = refusalsOf({ BadRequest: 'Invalid authentication request' });

/** The same for everything that can be wrong with a login. */
const authFailed: LoginRefusal = refusal('AuthFailed');

/** A login, and how it is answered. */
export interface AnsweredCall extends LoginCall {
  readonly dialect: Pick<Dialect, 'answersCanonicalNames'>;
}

const example = { username: 'alice', ldapPassword: 'password', otpPassword: '123456' };

export const otpOperations = {
  otpSimpleLogin: operation({
    summary: 'Logs a user in with the password, the one-time password, or both in one text.',
    request: { ...who, anyPassword: textField, ...caller, ...repeated },
    response: loginAnswer,
    example: { username: 'alice', anyPassword: 'password123456' },
    refuse,
    run: async ({ anyPassword, ...request }, call: AnsweredCall) =>
      writeOutcome(await login({ ...request, anyPassword }, call), call),
  }),
  otpNormalLogin: operation({
    summary: 'Logs a user in with a password and a one-time password, each in its own field.',
    request: normalLogin,
    response: loginAnswer,
    example,
    refuse,
    run: async (request, call: AnsweredCall) => writeOutcome(await login(apart(request), call), call),
  }),
  otpLogin: operation({
    summary: 'The same as otpNormalLogin, for older clients.',
    request: normalLogin,
    response: loginAnswer,
    example,
    refuse,
    run: async (request, call: AnsweredCall) => writeOutcome(await login(apart(request), call), call),
  }),
  otpChallenge: operation({
    summary: 'Answers the challenge of a login with the second factor.',
    request: {
      ...who,
      session: textField,
      otpPassword: codeField,
      u2fResponse: textField,
      voiceSample: ignoredField(bytesField),
    },
    response: loginAnswer,
    example: { username: 'alice', session: 'aB3dE5fG7hJ9kL1m', otpPassword: '123456' },
    refuse,
    run: async ({ otpPassword, u2fResponse, ...answer }, call: AnsweredCall) =>
      writeOutcome(
        await answerChallenge({ ...answer, otp: otpPassword, assertion: u2fResponse }, call),
        call,
      ),
  }),
  otpPKILogin: operation({
    summary:
      'Tells whose a certificate is that the calling system has checked, and whether that user may log in.',
    request: {
      certificate: textField,
      client: textField,
      source: textField,
      settings: textField,
      options: textField,
      virtual: ignoredField(textField),
    },
    response: { ...verdict, username: textField, domain: textField, data: textField },
    refuse,
    run: async (request, call: CertificateCall) => {
      const { outcome, username, domain } = await loginWithCertificate(request, call);
      if (outcome.kind !== 'granted') return authFailed;
      return { ...success, username, domain, data: outcome.data };
    },
  }),
  otpStatus: statusOperation(refusal('ServerError').message),
} as const;

const apart = (asked: Values<typeof normalLogin>) => {
  const { username, domain, client, source, settings, options, ldapPassword, otpPassword } = asked;
  return { username, domain, client, source, settings, options, password: ldapPassword, otp: otpPassword };
};

const success = { code: 1, error: '', message: 'Authentication success' } as const;

function writeOutcome(outcome: LoginOutcome, { dialect }: Pick<AnsweredCall, 'dialect'>): LoginResponse {
  switch (outcome.kind) {
    case 'granted': {
      const { data, concat, account } = outcome;
      const { code, error, message } = success;
      if (!dialect.answersCanonicalNames || !account) return { code, error, message, data, concat };
      const { username, domain } = account;
      return { code, error, message, username, domain, data, concat };
    }
    case 'challenge':
      return { code: 2, error: '', ...challengeFields(outcome) };
    case 'refused':
      return authFailed;
  }
}
