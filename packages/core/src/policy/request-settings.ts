/** What a login request brings along in `settings` and `options` (webservices.md §4). */
import type { Core } from '../core.ts';
import type { Settings } from '../directory/settings.ts';
import { ServiceError } from '../errors.ts';
import { printable } from '../ports/records.ts';
import { findSetting, readSetting } from '../setting.ts';

/** Longest text of either field, in characters; callers in the field send a few dozen. */
const maxLength = 4096;

/** A comma before the name of a setting; other commas belong to a value. */
const separator = /,(?=\s*(?:[A-Za-z][A-Za-z0-9]*\.)?[A-Za-z][A-Za-z0-9]*=)/;

/**
 * What no caller may say, whoever it is: who may log in and until when, how often may be guessed, and how much of a
 * token's time and counters is accepted (webservices.md §4). In any application.
 */
const reserved: ReadonlySet<string> = new Set([
  ...['EnableLogin', 'ValidFrom', 'ValidTo', 'ReplyData', 'MaxTries', 'BlockTime', 'BlockNotify'],
  ...['TOTPTimeStep', 'TOTPTimeOffsetWindow', 'HOTPLookAheadWindow', 'OTPLength', 'OTPPrefix'],
  ...['TokenExpire', 'LastOTPTime', 'PasswordReset', 'SelfRegister'],
]);

export interface RequestSettings {
  /** By their full names in our words. */
  readonly settings: Settings;
  /** For the log, the names that have no effect: there is no such setting, or a request does not set it. */
  readonly ignored: readonly string[];
}

/** As many names as a line of the log may show, and so much of each. */
const [shownNames, shownLength] = [8, 64];

/**
 * Reads `Name=Value,…`. They win over every policy layer.
 * @param text names with or without their application, in our words or the installation's
 * @param application whose settings they are where a name does not say
 * @throws ServiceError `invalid_params` for a value that its setting cannot have
 */
export function parseRequestSettings(
  text: string | undefined,
  core: Pick<Core, 'applications' | 'names'>,
  application = 'Otp',
): RequestSettings {
  if (text === undefined || text.trim() === '') return { settings: new Map(), ignored: [] };
  if (text.length > maxLength) throw wrong('settings', `is longer than ${maxLength} characters`);
  const pairs = text.split(separator).map((pair) => readPair(pair, core, application));
  const isMeant = ({ name }: Pair) =>
    findSetting(core.applications, name) !== undefined && !reserved.has(name.split('.').at(-1) ?? '');
  const ignored = pairs.filter((pair) => !isMeant(pair)).map(({ shown }) => shown);
  const settings = pairs.filter(isMeant).map(({ name, value, shown }) => {
    const read = readSetting(core.applications, name, value);
    if ('wrong' in read) throw wrong('settings', `${shown} ${read.wrong}`);
    return [name, read.text] as const;
  });
  return { settings: new Map(settings), ignored: ignored.slice(0, shownNames) };
}

interface Pair {
  /** In our words, with its application. */
  readonly name: string;
  readonly value: string;
  /** The name as it came, as a log may show it: what has none may be anything, a secret too. */
  readonly shown: string;
}

function readPair(pair: string, { names }: Pick<Core, 'names'>, application: string): Pair {
  const equals = pair.indexOf('=');
  const [given, value] = [pair.slice(0, Math.max(0, equals)).trim(), pair.slice(equals + 1).trim()];
  const name = given.includes('.') ? names.oursDotted(given) : `${application}.${given}`;
  return { name, value, shown: printable(given.slice(0, shownLength)) || '(no name)' };
}

/**
 * Reads flags with commas or spaces between them, such as `-LDAP`, in capitals. Unknown ones are kept: whoever
 * looks for one does not see them.
 * @throws ServiceError `invalid_params`
 */
export function parseOptions(text: string | undefined): ReadonlySet<string> {
  if (text === undefined) return new Set();
  if (text.length > maxLength) throw wrong('options', `is longer than ${maxLength} characters`);
  return new Set(
    text
      .toUpperCase()
      .split(/[\s,]+/)
      .filter((flag) => flag !== ''),
  );
}

const wrong = (parameter: string, what: string): ServiceError =>
  new ServiceError('invalid_params', { detail: `Parameter ${parameter}: ${what}` });
