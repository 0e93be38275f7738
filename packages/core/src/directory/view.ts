/**
 * Contexts of work on entries, from narrow to wide. A function takes the narrowest. `directory` is bound as the caller; `server` is for work
 * that does not depend on the caller.
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

/** Entries, as one identity. */
export interface BoundView {
  readonly directory: Directory;
}

/** Names of classes and attributes. */
export interface SchemaWords {
  readonly config: Pick<ServiceConfig, 'schema'>;
}

/** Entries, and the capabilities of their directory. */
export interface EntryView extends BoundView, SchemaWords {
  readonly server: Pick<DirectoryServer, 'capabilities'>;
}

/** Settings and data of the applications, and the installation's words for them. */
export interface Words {
  readonly names: Names;
  readonly applications: Readonly<Record<string, KnownApplication>>;
}

/** The context of settings on an entry. */
export interface SettingWords extends Words, SchemaWords {
  readonly log: Pick<Log, 'warn'>;
}

/** The context of effective settings; groups are read by the service. */
export interface LayerView extends SettingWords {
  readonly memberships: Pick<Memberships, 'of' | 'among' | 'read' | 'basesIn' | 'isKnown' | 'believe'>;
  /** The presets, in our words. */
  readonly presets: Settings;
  /** The check for administrators, whose settings no group takes below the presets. */
  readonly administrators: AdministratorCheck;
}

/** The context of settings for a login, which avoids searches of groups. */
export interface LoginLayerView extends LayerView {
  readonly groupSettings: Pick<GroupSettings, 'maySome'>;
}

/** The context of data. */
export interface DataWords extends Words {
  readonly keys: Pick<KeyRing, 'seal' | 'open'>;
}

/** The attribute of data. */
export interface StoredDataView extends BoundView, DataWords, SchemaWords {}

/** Settings and data of users. */
export interface ProfileContext extends EntryView, LayerView, DataWords {
  readonly server: Pick<DirectoryServer, 'capabilities' | 'service'>;
}

/** Users of domains. */
export interface DomainView extends BoundView, SchemaWords {
  readonly domains: Domains;
}
