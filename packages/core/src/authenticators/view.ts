/** What the work on codes may touch, from little to much: a function takes the narrowest of these that holds what it needs. */
import type { ServiceConfig } from '../config/config.ts';
import type { Domains } from '../directory/domain.ts';
import type { StoreMark } from '../directory/store-binding/store-mark.ts';
import type { StoredDataView } from '../directory/view.ts';
import type { Clock } from '../ports/clock.ts';
import type { DirectoryServer } from '../ports/directory/directory.ts';
import type { KeyRing } from '../ports/keys.ts';
import type { Log } from '../ports/log/log.ts';
import type { YubicoVerification } from '../ports/sending/yubico-verification.ts';
import type { StateBefore } from '../ports/store/ledger.ts';
import type { Store } from '../ports/store/store.ts';

/** What is claimed and remembered in the store, under keys of the ring. */
export interface Claims {
  readonly store: Store;
  readonly keys: KeyRing;
}

/** The same, at some moment. */
export interface TimedClaims extends Claims {
  readonly clock: Clock;
}

/** Codes, judged by what the store knew of them at some moment. */
export interface JudgingView {
  readonly known: StateBefore;
  readonly keys: KeyRing;
  readonly clock: Clock;
}

/** The state of codes, taken forward on the entry; where it cannot be, the log tells whose it is. */
export interface StateView extends StoredDataView {
  readonly config: Pick<ServiceConfig, 'schema' | 'stores'>;
  readonly server: Pick<DirectoryServer, 'capabilities'>;
  readonly domains: Pick<Domains, 'containing'>;
  readonly log: Pick<Log, 'warn' | 'error'>;
}

/** Codes of a user, judged and used up, if the store is the one that the directories know. */
export interface CodeView extends StateView, TimedClaims {
  readonly keys: KeyRing;
  readonly yubico?: YubicoVerification | undefined;
  readonly mark: Pick<StoreMark, 'assure'>;
}
