/** What the bundled servers and the quick start begin with. */
export { serviceSettings } from '../config/config.ts';
export {
  type RunningServers,
  runServer,
  type ServerCommand,
  type Surroundings,
  startServers,
} from './command.ts';
export { installationCommands } from './commands/index.ts';
export { judgeFiles, readConfiguration } from './configuration.ts';
export { type Engines, openEngines } from './engines.ts';
export { ensureEntry, ensurePerson } from './entries.ts';
export { firstAdministrators, firstConfiguration } from './first-configuration.ts';
export { type AuthorityPlace, ensureAuthority } from './secrets/authority.ts';
export { ownCertificate, type ServerTls, serverTls } from './secrets/certificates.ts';
export { processSurroundings } from './surroundings.ts';
