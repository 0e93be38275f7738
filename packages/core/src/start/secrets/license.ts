/** The licence that a configuration names, verified: a server does not start with one that is no good. */
import { systemClock } from '../../adapters/system/index.ts';
import { assertForInstance } from '../../administration/license/instance.ts';
import { VerifiedLicense } from '../../administration/license/license.ts';
import type { ServerConfig } from '../../config/config.ts';
import { Domains } from '../../directory/domain.ts';
import type { License } from '../../ports/license.ts';
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

/** What the operator should know of a licence that the server starts with all the same. */
export function licenseWarnings(license: License | undefined): readonly string[] {
  const lapse = license?.lapse(systemClock.now());
  if (license === undefined || lapse === undefined) return [];
  return [`${license.name} ${lapse}: logins go on, and no more users can be activated`];
}
