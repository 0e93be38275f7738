/** The floor under the group layer of administrators: each setting of the catalogue is ordered, held or harmless. */
import { describe, expect, it } from 'vitest';
import { bundled } from '../../applications/index.ts';
import { Names } from '../../table/dialect.ts';
import type { Setting } from '../../table/setting-row.ts';
import { aboveFloor } from './floor.ts';
import { presetSettings } from './settings.ts';

const applications = bundled;
const presetsOf = (settings: Readonly<Record<string, string>>) =>
  presetSettings({ applications, names: new Names({}), config: { settings } });

/** The settings that act on a user, and that a group may carry. */
const rows: readonly Setting[] = Object.values(applications)
  .flatMap(({ settings }): readonly Setting[] => Object.values(settings))
  .filter(({ unsupported, withheld }) => !unsupported && withheld !== 'entry');
const isOrdered = ({ stricter, laxer }: Setting) => stricter !== undefined || laxer !== undefined;
const namesOf = (some: readonly Setting[]) => some.map(({ name }) => name).sort();

/** Values that groups set for members, and not for administrators. */
const held = [
  'Otp.BadgingData',
  'Otp.OCRASuite',
  'Otp.OTPFallback',
  'Otp.ReplyData',
  'PwReset.LinkMode',
  'SelfReg.LinkMode',
  'SshKey.AuditRule',
  'SshKey.EnvVariables',
  'SshKey.KeyType',
  'SshKey.RemoteCommand',
  'SshKey.SudoAdvanced',
  'SshKey.SudoCommands',
];

/** Settings of which no value opens more than another. */
const harmless = [
  'Otp.BadgingLocations',
  'Otp.BadgingMode',
  'Otp.Issuer',
  'Otp.ListSize',
  'Otp.SMSType',
  'PwReset.SMSType',
  'SelfDesk.DefaultTokenType',
  'SelfReg.DefaultTokenType',
  'SelfReg.SMSType',
  'SshKey.WelcomeMessage',
];

/** Returns whether a group may set a value for an administrator where the installation has another, or none. */
const passes = (name: string, value: string, installed?: string): boolean => {
  const presets = presetsOf(installed === undefined ? {} : { [name]: installed });
  return aboveFloor(new Map([[name, value]]), { presets, applications }).size === 1;
};

const valuesOf = ({ type }: Setting): readonly string[] =>
  type.kind === 'boolean' ? ['Yes', 'No'] : type.kind === 'word' ? type.words : [];

describe('the floor for administrators', () => {
  it('has a decision for every setting: ordered, held or harmless', () => {
    expect(namesOf(rows.filter((row) => !isOrdered(row) && !row.isHarmless))).toEqual(held);
    expect(namesOf(rows.filter(({ isHarmless }) => isHarmless))).toEqual(harmless);
    expect(rows.filter((row) => row.isHarmless && isOrdered(row))).toEqual([]);
    expect(rows.length).toBeGreaterThan(70);
  });

  it.each(held)('takes no %s from a group', (name) => {
    expect(passes(name, 'any other value')).toBe(false);
  });

  it('takes one value of a flag from a group, and not the other', () => {
    const flags = rows.filter(({ type, isHarmless }) => type.kind === 'boolean' && !isHarmless);
    for (const { name } of flags)
      expect([name, passes(name, 'Yes', 'No') !== passes(name, 'No', 'Yes')]).toEqual([name, true]);
  });

  it('takes no word in place of another both ways, unless neither is laxer', () => {
    const words = rows.filter(({ type, isHarmless }) => type.kind === 'word' && !isHarmless);
    const free = words.flatMap((row) =>
      valuesOf(row).flatMap((one) =>
        valuesOf(row)
          .filter((two) => two > one && passes(row.name, one, two) && passes(row.name, two, one))
          .map((two) => `${row.name}: ${one}, ${two}`),
      ),
    );
    expect(free).toEqual(['Otp.LoginMode: LDAP, OTP', 'Otp.LoginMode: LDAPMFA, LDAPOTP'].sort());
  });

  it.each([
    ['Otp.OTPType', 'MAIL', 'TOKEN', false],
    ['Otp.OTPType', 'TOKEN', 'MAIL', true],
    ['Otp.OTPType', 'MAIL', 'SMS', false],
    ['Otp.OTPLength', '6', '8', false],
    ['PwReset.LinkTime', '720', '1', false],
    ['PwReset.PasswordMinLength', '4', '8', false],
    ['PwReset.PasswordMinLength', '20', '8', true],
    ['PwReset.PasswordMaxLength', '8', '0', false],
    ['PwReset.PasswordStrength', '0', '60', false],
    ['SelfReg.LinkTime', '604800', '3600', false],
    ['SelfReg.AllowTokenTypes', 'TOTP', 'FIDO2', false],
    ['SelfReg.AllowTokenTypes', 'TOTP', undefined, true],
    ['SshKey.AddressFilter', '0.0.0.0/0', '192.0.2.0/24', false],
    ['SshKey.AddressFilter', '192.0.2.0/24', undefined, true],
    ['SshKey.KeyExpire', '0', '30', false],
    ['SshKey.KeyExpire', '30', '0', true],
  ])('%s=%s of a group over %s counts: %s', (name, value, installed, counts) => {
    expect(passes(name, value, installed)).toBe(counts);
  });
});
