/** The fields `settings` and `options` of a login request (docs/concepts/policies-and-settings.md#request-settings). */

import type { Settings } from '../../directory/data/layers.ts';
import { ServiceError } from '../../foundation/errors/errors.ts';
import { printable } from '../../ports/event-log/event-log.ts';
import type { Names } from '../../table/dialect.ts';
import type { ServingApplication } from '../../table/known-application.ts';
import { requestedSetting } from '../../table/requested-setting.ts';
import { findSetting, readSetting, type SettingTables } from '../../table/setting.ts';

/** Longest text of either field, in characters; callers in the field send a few dozen. */
const maxLength = 4096;

/** A comma before the name of a setting; other commas belong to a value. */
const separator = /,(?=\s*(?:[A-Za-z][A-Za-z0-9]*\.)?[A-Za-z][A-Za-z0-9]*=)/;

/** Settings of a request, by their full names in our words. */
export interface RequestSettings {
  /** They win over every layer. */
  readonly free: Settings;
  /** They count where they ask for more than what is in force. */
  readonly stricter: Settings;
  /** Names without effect, for the log: there is no such setting, or the request may not set it. */
  readonly ignored: readonly string[];
}

/** Most characters of a name in a line of the log. */
const shownLength = 64;

/**
 * Reads `Name=Value,…`.
 * @param text names with or without their application, which is then the one that is asked, in our words or the installation's
 * @param maySet whether the caller may set this one as it likes
 * @throws ServiceError `invalid_params` for a value that its setting cannot have, of those that may count
 */
export function parseRequestSettings(
  text: string | undefined,
  core: PairWords & { readonly applications: SettingTables },
  maySet: (name: string) => boolean,
): RequestSettings {
  if (text === undefined || text.trim() === '') return nothing;
  if (text.length > maxLength) throw wrong('settings', `is longer than ${maxLength} characters`);
  const pairs = text.split(separator).map((pair) => readPair(pair, core));
  const counts = ({ name }: Pair) => {
    const row = findSetting(core.applications, name);
    return row !== undefined && !row.withheld && (row.stricter !== undefined || maySet(name));
  };
  const values = pairs.filter(counts).map((pair) => [pair.name, readValue(pair, core)] as const);
  return {
    free: new Map(values.filter(([name]) => maySet(name))),
    stricter: new Map(values.filter(([name]) => !maySet(name))),
    ignored: pairs.filter((pair) => !counts(pair)).map(({ shown }) => shown),
  };
}

const nothing: RequestSettings = { free: new Map(), stricter: new Map(), ignored: [] };

function readValue(
  { name, value, shown }: Pair,
  { applications }: { readonly applications: SettingTables },
): string {
  const read = readSetting(applications, name, value);
  if ('wrong' in read) throw wrong('settings', `${shown} ${read.wrong}`);
  return read.text;
}

/** The words by which the names of a request are read. */
interface PairWords {
  readonly names: Names;
  readonly application: Pick<ServingApplication, 'name'>;
}

interface Pair {
  /** The setting in our words, with its application. */
  readonly name: string;
  readonly value: string;
  /** The name as it came, as a log may show it: what has none may be anything, a secret too. */
  readonly shown: string;
}

function readPair(pair: string, { names, application: { name: asked } }: PairWords): Pair {
  const equals = pair.indexOf('=');
  const [given, value] = [pair.slice(0, Math.max(0, equals)).trim(), pair.slice(equals + 1).trim()];
  const shown = printable(given.slice(0, shownLength)) || '(no name)';
  return { name: requestedSetting(given, names, asked), value, shown };
}

const noOptions: ReadonlySet<string> = new Set();

/**
 * Reads flags with commas or spaces between them, such as `-LDAP`, in capitals. Unknown flags are kept and have no effect.
 * @throws ServiceError `invalid_params`
 */
export function parseOptions(text: string | undefined): ReadonlySet<string> {
  if (text === undefined) return noOptions;
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
