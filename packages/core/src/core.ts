/** What every domain of the core shares: the configuration, the directory, and the ports. Made by service.ts. */
import type { Roles } from './access/roles.ts';
import type { ServiceConfig } from './config/config.ts';
import type { Settings } from './directory/data/layers.ts';
import type { Directory, DirectoryServer } from './directory/directory.ts';
import type { Domains } from './directory/domain.ts';
import type { Ports } from './engines.ts';
import type { Limits } from './limits/limits.ts';
import type { StoreMark } from './mark/store-mark.ts';
import type { Policies } from './policy/index.ts';
import type { KeyCounts } from './rekey/census.ts';
import type { Readiness } from './status/readiness.ts';
import type { Dialect, Names } from './table/dialect.ts';
import type { KnownApplication } from './table/known-application.ts';

export interface Core extends Omit<Ports, 'directory'>, Policies {
  /** As the service sees it. */
  readonly directory: Directory;
  readonly server: DirectoryServer;
  readonly config: ServiceConfig;
  readonly dialect: Dialect;
  readonly names: Names;
  readonly domains: Domains;
  /** The name of this node in the network. */
  readonly host: string;
  /** The application defaults as the installation overrides them, in our words. */
  readonly presets: Settings;
  /** Who administers what. */
  readonly roles: Roles;
  /** Who may guess, and how often: whoever judges passwords or codes asks here. */
  readonly limits: Limits;
  /** Whether the store is the one that the directories know. */
  readonly mark: StoreMark;
  /** How many values each key of the ring still holds. Everything is gone through, once for all who ask together. */
  readonly keyCounts: () => Promise<KeyCounts>;
  /** Which of the servers behind this one answer. Asked once for all who ask together. */
  readonly readiness: () => Promise<Readiness>;
  readonly applications: Readonly<Record<string, KnownApplication>>;
}
