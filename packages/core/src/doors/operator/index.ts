/**
 * `@watchword/core/operator`: the parts of the core for operator commands and for packages that open engines. It promises no stability.
 */

export {
  listVersions,
  putVersion,
  readCurrent as readRuntimeSettings,
  readVersion,
} from '../../administration/configuration/versions.ts';
export { countByKey, type KeyCounts, keyFacts } from '../../administration/key-rotation/census.ts';
export { rekey } from '../../administration/key-rotation/rekey.ts';
export { assertForInstance } from '../../administration/license/instance.ts';
export { VerifiedLicense } from '../../administration/license/license.ts';
export { releaseUser } from '../../administration/status/blocks.ts';
export type { ServedApplications } from '../../applications/context/call.ts';
export { type Bundled, bundled } from '../../applications/index.ts';
export { openAgain } from '../../authenticators/claim-keys.ts';
export { eachDirectory, namedDirectories } from '../../config/directory-rules.ts';
export { nearest } from '../../config/problems.ts';
export { ineffectiveSettings } from '../../config/references.ts';
export {
  type ConfigSettings,
  changedSettings,
  keepSecrets,
  mergeLayers,
  runtimeProblems,
  withoutSecrets,
} from '../../config/runtime-settings.ts';
export { isMap, knownKeys, nodeAt, type Path, type SchemaNode, valueAt } from '../../config/schema-node.ts';
export { parseHost } from '../../config/values.ts';
export { Domains } from '../../directory/domain.ts';
export { hasClass } from '../../directory/entry/entry.ts';
export { findUser, type Login } from '../../directory/entry/user.ts';
export { Memberships } from '../../directory/groups/memberships.ts';
export { cefOf } from '../../events/cef.ts';
export type { KeyFacts } from '../../table/dialect.ts';
export { descriptionsOf } from '../describe/files.ts';
export { ensureAbove, ensureEntry, ensurePerson } from './administrator-entries.ts';
export { administratorWarning, findAdministrators } from './administrators.ts';
export { directoriesOf } from './checks/directories.ts';
export { type Finding, found, lookOr, problem, warning } from './checks/finding.ts';
export { lockoutWarning } from './checks/lockout.ts';
export { openServiceWarnings, trustWarnings } from './checks/open-services.ts';
export { inspectInstallation } from './checks/survey.ts';
export { type Lifted, type Lifting, liftAhead } from './clock-ahead.ts';
export { loadLibraries } from './libraries.ts';
export { assertOutside } from './outside-addresses.ts';
export { momentOf } from './restoration/moment.ts';
export { enterFolder, noteFolder, refuseMoved, refuseOlder, signOfAge } from './restoration/older-folder.ts';
export { reportOf } from './restoration/report.ts';
export { endRestore, type Plan, restore } from './restoration/restore.ts';
export type { RestoreView } from './restoration/restore-run.ts';
export type { NamedRevocationList } from './restoration/revocations.ts';
export { type SettingSources, widestRules } from './restoration/widest.ts';
export { newApiKey } from './secrets/api-key.ts';
export { withInstallationSecret } from './secrets/digest-secret.ts';
export { foreignSecrets } from './secrets/foreign-secrets.ts';
export { announceRing, type NodeRing, ringsOfNodes } from './secrets/node-rings.ts';
export { sealedCollections, secretCollections } from './secrets/sealed-collections.ts';
export { newSmsAccount } from './secrets/sms-account.ts';
export { assertStillAdmitted } from './still-admitted.ts';
