/** The licence that a configuration names, verified: a server does not start with one that is no good. */

import type { ServerConfig } from '@watchword/core';
import { assertForInstance, Domains, VerifiedLicense } from '@watchword/core/operator';
import type { License } from '@watchword/core/ports';
import { systemClock } from '@watchword/node';
import { readNamed } from './pair-file.ts';

/** Undefined if none is named. @throws StartError if it cannot be read or understood, or is not for this installation */
export function openLicense(config: ServerConfig): License | undefined {
  const { file, key } = config.license;
  if (file === undefined || key === undefined) return undefined;
  const names = { license: file, key };
  const license = VerifiedLicense.verify({ license: readNamed(file), key: readNamed(key), names });
  assertForInstance(license, new Domains(config));
  return license;
}

/** Returns warnings about a licence with which the server starts all the same. */
export function licenseWarnings(license: License | undefined): readonly string[] {
  const lapse = license?.lapse(systemClock.now());
  if (license === undefined || lapse === undefined) return [];
  return [`${license.name} ${lapse}: logins go on, and no more users can be activated`];
}
