import { DatabaseError } from 'pg';
import { describe, expect, it } from 'vitest';
import { Fault, faultOf, mayPass, notDone, refusesWrites, told } from './faults.ts';

describe('fault of a statement', () => {
  it.each([
    ['25006', { fate: 'not_done', isGone: true, isPassing: true, isOfStatement: false }],
    ['57P01', { fate: 'unknown', isGone: true, isPassing: true, isOfStatement: false }],
    ['40001', { fate: 'not_done', isGone: false, isPassing: true, isOfStatement: false }],
    ['53300', { fate: 'not_done', isGone: false, isPassing: true, isOfStatement: false }],
    ['53100', { fate: 'not_done', isGone: false, isPassing: false, isOfStatement: false }],
    ['57014', { fate: 'not_done', isGone: false, isPassing: false, isOfStatement: true }],
    ['22P05', { fate: 'never', isGone: false, isPassing: false, isOfStatement: true }],
  ])('has the fate that its SQLSTATE %s says', (code, expected) => {
    expect(faultOf(databaseError(code))).toMatchObject(expected);
  });

  it('leaves the fate unknown when the connection ends, whatever code the error has', () => {
    const cut = Object.assign(new Error('read ECONNRESET'), { code: '40001' });
    expect(faultOf(cut)).toMatchObject({ fate: 'unknown', isGone: true, isPassing: true });
  });

  it('remains the fault that it is', () => {
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
  ])('follows from the SQLSTATE %s: %s', (code, refuses) => {
    expect(refusesWrites(faultOf(databaseError(code)))).toBe(refuses);
  });
});

it('is no refusal to write when a step is given up here', () => {
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
  ])('may pass or not after %s', (_, cause, passes) => {
    expect(mayPass(cause)).toBe(passes);
  });
});

describe('error that the core sees', () => {
  it.each([
    ['57P01', 'unavailable', 'the database does not answer'],
    ['53100', 'unavailable', 'the database cannot be used now'],
    ['22P05', 'internal', 'the database refused a step'],
  ])('tells for the SQLSTATE %s: %s, %s', (code, reason, detail) => {
    expect(told(faultOf(databaseError(code)))).toMatchObject({ reason, detail });
  });

  it('is the error itself when it is no fault', () => {
    const error = new Error('of the caller');
    expect(told(error)).toBe(error);
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
