/** The vocabulary of a configuration, made from the bundled applications. */

import type { ServedApplications } from '../../applications/context/call.ts';
import { reservedNames, type Vocabulary } from '../../config/vocabulary.ts';
import { StartError } from '../../foundation/errors/start-error.ts';
import type { AnyApplication } from '../../table/application.ts';
import { Names } from '../../table/dialect.ts';
import { MethodTable } from './methods.ts';

/**
 * Makes the vocabulary of a configuration: the words of applications, and the names of their methods.
 * @param applications the applications of the service, by their names
 * @returns the vocabulary, for `readConfig` and `readServiceConfig`
 * @throws StartError if applications do not fit together, or a method names no entry although it has one
 * @see docs/concepts/dialects-and-names.md#installation-names
 * @example
 * ```ts
 * import { bundled, vocabularyOf } from '@watchword/core';
 *
 * console.log(vocabularyOf(bundled).methods.includes('Otp.TOTP_Register')); // true
 * ```
 */
export function vocabularyOf(applications: ServedApplications): Vocabulary {
  for (const [key, application] of Object.entries(applications))
    assertFits(key, application, Object.values(applications));
  const words = Object.values(applications).map(
    ({ name, service, settings, operations, webApplication }) => ({
      ...{ name, service, settings },
      isServed: Object.keys(operations).length > 0 || webApplication !== undefined,
      isWebApplication: webApplication !== undefined,
    }),
  );
  return {
    applications: Object.fromEntries(words.map((one) => [one.name, one])),
    methods: new MethodTable(applications, new Names()).all.map(({ ours }) => ours),
  };
}

const word = /^[A-Za-z][A-Za-z0-9]{0,31}$/;

/** Checks that no application has another name's key, or a word that another one has: it would never be found. @throws StartError */
function assertFits(key: string, application: AnyApplication, all: readonly AnyApplication[]): void {
  const { name, service, settings, operations } = application;
  const fail = (what: string) => {
    throw new StartError(`The application ${key} ${what}.`);
  };
  if (key !== name) fail(`calls itself ${name}: hand it in under that name`);
  if (![name, service].every((one) => word.test(one)))
    fail('has a name or service that is not a word of 1 to 32 letters and digits that begins with a letter');
  const others = all.filter((other) => other !== application);
  const taken = new Set(
    [...reservedNames, ...others.flatMap((other) => [other.name, other.service])].map(lower),
  );
  for (const one of [name, service]) if (taken.has(lower(one))) fail(`has the word ${one}, which is taken`);
  for (const [row, setting] of Object.entries(settings))
    if (setting.name !== `${name}.${row}`) fail(`has a setting ${setting.name} in place of ${name}.${row}`);
  for (const operation of Object.keys(operations))
    if (!operation.startsWith(service))
      fail(`has an operation ${operation}, which does not begin with ${service}`);
}

const lower = (text: string): string => text.toLowerCase();
