import { describe, expect, it } from 'vitest';
import { stepMode } from './client-mode.ts';

describe('stepMode', () => {
  it.each([
    ['LDAP', 'LDAP', 'LDAPOTP'],
    ['OTP', 'OTP', 'LDAPOTP'],
    ['LDAPOTP', 'LDAP', 'LDAPOTP'],
    ['LDAPU2F', 'LDAP', 'LDAPU2F'],
    ['LDAPMFA', 'LDAP', 'LDAPMFA'],
  ])('takes %s down to %s and up to %s', (loginMode, down, up) => {
    expect(stepMode(loginMode, 'default')).toBe(loginMode);
    expect(stepMode(loginMode, 'step_down')).toBe(down);
    expect(stepMode(loginMode, 'step_up')).toBe(up);
  });
});
