/**
 * What work on entries may touch, from little to much: a function takes the narrowest of these that holds what it
 * needs. The directory is bound as whoever asks; the server is for what does not depend on that.
 */
import type { ServiceConfig } from '../config/config.ts';
import type { Directory, DirectoryServer } from '../ports/directory/directory.ts';
import type { KeyRing } from '../ports/keys.ts';
import type { Log } from '../ports/log/log.ts';
import type { Names } from '../table/dialect.ts';
import type { KnownApplication } from '../table/known-application.ts';
import type { AdministratorCheck } from './data/floor.ts';
import type { GroupSettings } from './data/group-settings.ts';
import type { Settings } from './data/layers.ts';
import type { Domains } from './domain.ts';
import type { Memberships } from './groups/memberships.ts';

/** Entries as one identity sees them. */
export interface BoundView {
  readonly directory: Directory;
}

/** What the installation calls classes and attributes. */
export interface SchemaWords {
  readonly config: Pick<ServiceConfig, 'schema'>;
}

/** Entries, and what the directory that holds them can do. */
export interface EntryView extends BoundView, SchemaWords {
  readonly server: Pick<DirectoryServer, 'capabilities'>;
}

/** Which settings and data there are, and what the installation calls them. */
export interface Words {
  readonly names: Names;
  readonly applications: Readonly<Record<string, KnownApplication>>;
}

/** What settings on an entry are read with. */
export interface SettingWords extends Words, SchemaWords {
  readonly log: Pick<Log, 'warn'>;
}

/** What the settings of a user are gathered with: its groups are read by the service. */
export interface LayerView extends SettingWords {
  readonly memberships: Pick<Memberships, 'of' | 'among' | 'read' | 'basesIn' | 'isKnown' | 'believe'>;
  /** The application defaults as the installation overrides them, in our words. */
  readonly presets: Settings;
  /** The check for administrators, whose settings no group takes below the presets. */
  readonly administrators: AdministratorCheck;
}

/** The same for a login, which does not look for groups that nobody asks for. */
export interface LoginLayerView extends LayerView {
  readonly groupSettings: Pick<GroupSettings, 'maySome'>;
}

/** What data are written and read with. */
export interface DataWords extends Words {
  readonly keys: Pick<KeyRing, 'seal' | 'open'>;
}

/** The attribute that data stand in. */
export interface StoredDataView extends BoundView, DataWords, SchemaWords {}

/** Settings and data of users. */
export interface HolderView extends EntryView, LayerView, DataWords {
  readonly server: Pick<DirectoryServer, 'capabilities' | 'service'>;
}

/** Users of domains. */
export interface DomainView extends BoundView, SchemaWords {
  readonly domains: Domains;
}
