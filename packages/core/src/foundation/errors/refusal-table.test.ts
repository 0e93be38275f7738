/** Answers of the web services to errors. */
import { expect, it } from 'vitest';
import { reasons, ServiceError } from './errors.ts';
import { refusalsOf } from './refusal-table.ts';

it('has a word for every reason, and ServerError for an unexpected error', () => {
  const { refuse } = refusalsOf();
  const having = (word: string) =>
    reasons.filter((reason) => refuse(new ServiceError(reason)).error === word);
  expect(having('AuthFailed')).toEqual(['too_many_attempts']);
  expect(having('BadRequest')).toEqual(['invalid_params', 'invalid_dn', 'too_large']);
  expect(having('NoSession')).toEqual(['not_found']);
  expect(having('ServerError')).toContain('unavailable');
  expect(refuse(new Error('a secret'))).toEqual({ code: 0, error: 'ServerError', message: 'Server error' });
});

it('uses the sentences of the table unless the service has its own', () => {
  const { refusal, refuse } = refusalsOf({ BadRequest: 'Invalid SMS request' });
  expect(refuse(new ServiceError('invalid_params')).message).toBe('Invalid SMS request');
  expect(refusal('AuthFailed')).toEqual({
    ...{ code: 0, error: 'AuthFailed', message: 'Invalid username or password' },
  });
});
