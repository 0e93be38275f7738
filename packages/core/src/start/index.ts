/** What the bundled servers and the quick start begin with. */
export { serviceSettings } from '../config/config.ts';
export { openEngines, readConfiguration, runServer, startServers } from './bundled.ts';
export type { RunningServers } from './command.ts';
export { installationCommands } from './commands/index.ts';
export { judgeFiles } from './configuration.ts';
export type { Engines } from './engines.ts';
export { ensureEntry, ensurePerson } from './entries.ts';
export { firstAdministrators, firstConfiguration } from './first-configuration.ts';
export type { ServerCommand } from './program.ts';
export { type AuthorityPlace, ensureAuthority } from './secrets/authority.ts';
export { ownCertificate, type ServerTls, serverTls } from './secrets/certificates.ts';
export { processSurroundings, type Surroundings } from './surroundings.ts';
