/** Roles and option sets as they are configured: refusals at the start, and their messages. */
import { describe, expect, it } from 'vitest';
import { ConfigError, type ServiceConfigInput } from '../../config/config.ts';
import { readServiceConfig } from '../../index.ts';

const domains = { Default: { base: 'dc=example,dc=org' } };
const role = { members: ['uid=bob,dc=example,dc=org'], methods: ['*'], subtrees: ['dc=example,dc=org'] };
const set = { subtree: 'dc=example,dc=org' };

function faultsOf(raw: Partial<ServiceConfigInput>): string[] {
  try {
    readServiceConfig({ domains, ...raw });
  } catch (error) {
    if (error instanceof ConfigError) return error.message.split('\n');
    throw error;
  }
  return [];
}

describe('methods', () => {
  it.each(['*', 'Get_*', 'get_user_attrs', 'Otp.*', '*_Attrs', 'Otp.HOTP_Register', 'Tokens.*', 'tokens.*'])(
    'can be named %s',
    (pattern) => {
      const names = { Otp: 'Tokens' };
      expect(faultsOf({ names, roles: { helpdesk: { ...role, methods: [pattern] } } })).toEqual([]);
      expect(faultsOf({ names, option_sets: { quiet: { ...set, methods: [pattern] } } })).toEqual([]);
    },
  );

  it.each(['Get_User_Attributes', 'Otp', 'Otp.Get_*', 'Tokens.*', 'GetUser*', '.*'])(
    'that there are not are told with where they stand: %s',
    (pattern) => {
      const faults = faultsOf({
        roles: { helpdesk: { ...role, methods: ['*', pattern] } },
        option_sets: { quiet: { ...set, methods: [pattern] } },
      });
      expect(faults).toEqual([
        expect.stringMatching(
          /^roles\.helpdesk\.methods\[1\] is neither a method nor a pattern that matches one; .+/,
        ),
        expect.stringMatching(
          /^option_sets\.quiet\.methods\[0\] is neither a method nor a pattern that matches one; .+/,
        ),
      ]);
    },
  );

  it('are told of together with what is wrong with the settings', () => {
    const faults = faultsOf({
      roles: { helpdesk: { ...role, methods: ['Get_Nothing'] } },
      settings: { 'Otp.None': 'x' },
    });
    expect(faults.map((fault) => fault.split(' ')[0]).toSorted()).toEqual([
      'roles.helpdesk.methods[0]',
      'settings.Otp.None',
    ]);
  });

  it('may all be taken away by an option set, and not by a role', () => {
    expect(faultsOf({ option_sets: { quiet: { ...set, methods: [] } } })).toEqual([]);
    expect(faultsOf({ roles: { helpdesk: { ...role, methods: [] } } })).toHaveLength(1);
  });
});

describe('names', () => {
  it('differ in more than capitals', () => {
    expect(faultsOf({ roles: { desk: role, Desk: role }, option_sets: { A: set, a: set } })).toEqual([
      expect.stringMatching(/^roles\.Desk differs from another role in upper and lower case only; .+/),
      expect.stringMatching(/^option_sets\.a differs from another option set in upper and lower case only; /),
    ]);
  });
});

describe('subtrees', () => {
  it('may stand outside all domains', () => {
    expect(faultsOf({ roles: { far: { ...role, subtrees: ['dc=elsewhere'] } } })).toEqual([]);
  });
});
