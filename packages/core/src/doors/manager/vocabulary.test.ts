/** Applications that are handed in: which fit together, and that a service has what it is given. */
import { expect, it } from 'vitest';
import { bundled } from '../../applications/index.ts';
import { application } from '../../table/application.ts';
import { textField } from '../../table/field.ts';
import { operation } from '../../table/operation.ts';
import { flagSetting, settingsOf } from '../../table/setting-row.ts';
import { vocabularyOf } from './vocabulary.ts';

const echo = operation({
  summary: 'Answers.',
  request: {},
  response: { text: textField },
  run: async () => ({ text: '' }),
  refuse: () => ({ text: '' }),
});
const bare = { name: 'Own', service: 'own', settings: {}, publicData: [], methods: {}, operations: {} };
const settings = settingsOf('Own', { Enable: flagSetting('It is on.', 'Yes') });
const own = application({ ...bare, settings, operations: { ownEcho: echo } });

it('makes of applications the words that a configuration may use', () => {
  const idle = application({ ...bare, name: 'Idle', service: 'idle' });
  const { applications, methods } = vocabularyOf({ ...bundled, Own: own, Idle: idle });
  expect(applications.Own).toEqual({
    name: 'Own',
    service: 'own',
    isServed: true,
    isWebApplication: false,
    settings,
  });
  expect(applications.Sso).toMatchObject({ service: 'sso', isServed: true });
  expect(applications.Idle).toMatchObject({ service: 'idle', isServed: false });
  expect(methods).toEqual(expect.arrayContaining(['Get_User_DN', 'Otp.HOTP_Register']));
});

it.each([
  ['stands under another name', { Mine: own }, /^The application Mine calls itself Own/],
  ['has no word for a name', { 'My own': { ...own, name: 'My own' } }, /^The application My own has a name/],
  ['has the word of another', { Own: { ...own, service: 'OTP' }, ...bundled }, /has the word OTP, which is/],
  ['has a word of the servers', { Own: { ...own, service: 'ws' } }, /has the word ws, which is taken/],
  [
    'has settings of another',
    { Own: { ...own, settings: bundled.Otp.settings } },
    /has a setting Otp\.\w+ in/,
  ],
  ['has operations of another', { Own: { ...own, service: 'mine' } }, /has an operation ownEcho, which does/],
])('refuses one that %s', (_, applications, fault) => {
  expect(() => vocabularyOf(applications)).toThrow(fault);
});
