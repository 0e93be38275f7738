import { DatabaseError } from 'pg';
import { describe, expect, it } from 'vitest';
import { Fault, faultOf, mayPass, notDone, refusesWrites, serviceErrorOf } from './faults.ts';

describe('fault of a statement', () => {
  it.each([
    ['25006', { fate: 'not_done', isServerLost: true, isTransient: true, isStatementError: false }],
    ['57P01', { fate: 'unknown', isServerLost: true, isTransient: true, isStatementError: false }],
    ['40001', { fate: 'not_done', isServerLost: false, isTransient: true, isStatementError: false }],
    ['53300', { fate: 'not_done', isServerLost: false, isTransient: true, isStatementError: false }],
    ['53100', { fate: 'not_done', isServerLost: false, isTransient: false, isStatementError: false }],
    ['57014', { fate: 'not_done', isServerLost: false, isTransient: false, isStatementError: true }],
    ['22P05', { fate: 'never', isServerLost: false, isTransient: false, isStatementError: true }],
  ])('has the fate that its SQLSTATE %s says', (code, expected) => {
    expect(faultOf(databaseError(code))).toMatchObject(expected);
  });

  it('leaves the fate unknown when the connection ends, for any code of the error', () => {
    const cut = Object.assign(new Error('read ECONNRESET'), { code: '40001' });
    expect(faultOf(cut)).toMatchObject({ fate: 'unknown', isServerLost: true, isTransient: true });
  });

  it('returns a fault unchanged', () => {
    const fault = notDone('it waited for too long');
    expect(faultOf(fault)).toBe(fault);
  });

  it('has the message of its cause', () => {
    expect(new Fault('unknown', { cause: new Error('cut') }).message).toBe('cut');
    expect(new Fault('unknown', { cause: 'cut' }).message).toBe('cut');
  });
});

describe('refusal to write', () => {
  it.each([
    ['53100', true],
    ['25006', true],
    ['40001', false],
    ['57014', false],
    ['57P01', false],
    ['22P05', false],
  ])('is judged by the SQLSTATE %s: %s', (code, refuses) => {
    expect(refusesWrites(faultOf(databaseError(code)))).toBe(refuses);
  });
});

it('does not count a step that was given up here as a refusal to write', () => {
  expect(refusesWrites(notDone('it waited for too long'))).toBe(false);
});

describe('connection that could not be made', () => {
  it.each([
    ['too many connections', databaseError('53300'), true],
    ['a server that starts', databaseError('57P03'), true],
    ['a wrong password', databaseError('28P01'), false],
    ['a missing database', databaseError('3D000'), false],
    ['a refused connection', withCode('ECONNREFUSED'), true],
    ['an error without a code', new Error('timeout expired'), true],
    ['no error object', 'ERR_TLS_', true],
    ['an unknown authority', withCode('UNABLE_TO_GET_ISSUER_CERT'), false],
    ['a server without TLS', new Error('The server does not support SSL connections'), false],
  ])('is judged as worth a retry or not after %s', (_, cause, passes) => {
    expect(mayPass(cause)).toBe(passes);
  });
});

describe('error that the core sees', () => {
  it.each([
    ['57P01', 'unavailable', 'the database does not answer'],
    ['53100', 'unavailable', 'the database cannot be used now'],
    ['22P05', 'internal', 'the database refused a step'],
  ])('has for the SQLSTATE %s the reason and detail: %s, %s', (code, reason, detail) => {
    expect(serviceErrorOf(faultOf(databaseError(code)))).toMatchObject({ reason, detail });
  });

  it('is the error itself unless it is a fault', () => {
    const error = new Error('of the caller');
    expect(serviceErrorOf(error)).toBe(error);
  });
});

function databaseError(code: string): DatabaseError {
  const error = new DatabaseError('of the server', 0, 'error');
  error.code = code;
  return error;
}

function withCode(code: string): Error {
  return Object.assign(new Error('of the connection'), { code });
}
