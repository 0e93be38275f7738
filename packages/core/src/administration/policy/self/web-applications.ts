/** The web applications (pages for users, each under a path of its own): which are enabled, and for which users each is locked. */
import type { ServiceConfig } from '../../../config/config.ts';
import { entryIdentifier } from '../../../directory/entry/identifier.ts';
import type { EntryView } from '../../../directory/view.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import type { Store } from '../../../ports/store/store.ts';
import type { Names } from '../../../table/dialect.ts';
import type { KnownApplication } from '../../../table/known-application.ts';

export interface WebApplicationPolicy {
  readonly enabled: boolean;
  /** Nobody comes in but whom an administrator lets in for a while. */
  readonly locked: boolean;
}

const preset: WebApplicationPolicy = { enabled: true, locked: false };

export class WebApplicationPolicies {
  readonly #byWord: ReadonlyMap<string, WebApplicationPolicy>;

  constructor({ config, names }: { config: Pick<ServiceConfig, 'webapps'>; names: Names }) {
    this.#byWord = new Map(Object.entries(config.webapps).map(([word, one]) => [names.ours(word), one]));
  }

  /** @param word ours; what is not configured is there, and not locked */
  find(word: string): WebApplicationPolicy {
    return this.#byWord.get(word) ?? preset;
  }
}

/** The family of opened web applications in the store. */
export const openFamily = 'webapp-open';

/** Returns the key of an opening: until its end, the web application is open to the user of an entry, whatever locks it. */
const openKey = (word: string, id: string): string => `${openFamily}:${word}:${id}`;

/** @param id the identifier of the user's entry */
export const isUnlocked = async (
  { word, id }: { readonly word: string; readonly id: string },
  store: Pick<Store, 'get'>,
): Promise<boolean> => (await store.get(openKey(word, id))) !== undefined;

export interface UnlockingView extends EntryView {
  readonly store: Pick<Store, 'put' | 'remove'>;
  readonly names: Names;
  readonly applications: Readonly<Record<string, KnownApplication>>;
}

/**
 * Opens a web application to a user for some seconds; 0 takes that back.
 * @throws ServiceError `invalid_params` where there is no such application; `not_found`
 */
export async function unlock(
  dn: Dn,
  { application, seconds }: { readonly application: string; readonly seconds: number },
  view: UnlockingView,
): Promise<void> {
  const { service } = webApplication(application, view);
  const key = openKey(service, await entryIdentifier(dn, view));
  await (seconds === 0 ? view.store.remove(key) : view.store.put(key, Uint8Array.of(1), seconds));
}

/** @param word the application's or its page's, ours or the installation's, in any case */
function webApplication(
  word: string,
  { applications, names }: Pick<UnlockingView, 'applications' | 'names'>,
): KnownApplication {
  const all = Object.values(applications).filter(({ webApplication: is }) => is?.locks);
  const wanted = word.toLowerCase();
  const found = all.find(({ name, service }) =>
    [name, service, names.theirs(name), names.theirs(service)].some((one) => one.toLowerCase() === wanted),
  );
  if (found) return found;
  const known = all.map(({ service }) => names.theirs(service)).join(', ');
  throw new ServiceError('invalid_params', { detail: `Parameter application is none of ${known}` });
}
