/** What a login request brings along in `settings` and `options` (webservices.md §4). */
import { readSetting } from '../application.ts';
import type { Core } from '../core.ts';
import type { Settings } from '../directory/settings.ts';
import { ServiceError } from '../errors.ts';

/** Longest text of either field, in characters; callers in the field send a few dozen. */
const maxLength = 4096;

/** A comma before the name of a setting; other commas belong to a value. */
const separator = /,(?=\s*(?:[A-Za-z][A-Za-z0-9]*\.)?[A-Za-z][A-Za-z0-9]*=)/;

/**
 * Reads `Name=Value,…`. They win over every policy layer.
 * @param text names with or without their application, in our words or the installation's
 * @param application whose settings they are where a name does not say
 * @returns settings by their full names in our words
 * @throws ServiceError `invalid_params`
 */
export function parseRequestSettings(
  text: string | undefined,
  core: Pick<Core, 'applications' | 'names'>,
  application = 'Otp',
): Settings {
  if (text === undefined || text.trim() === '') return new Map();
  if (text.length > maxLength) throw wrong('settings', `is longer than ${maxLength} characters`);
  return new Map(
    text.split(separator).map((pair) => {
      const equals = pair.indexOf('=');
      const [name, value] = [pair.slice(0, Math.max(0, equals)).trim(), pair.slice(equals + 1).trim()];
      const ours = name.includes('.') ? core.names.oursDotted(name) : `${application}.${name}`;
      const read = readSetting(core.applications, ours, value);
      if ('wrong' in read) throw wrong('settings', `${name.slice(0, 64)} ${read.wrong}`);
      return [ours, read.text] as const;
    }),
  );
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
