/** Identities of LDAP connections: the bound user, who reads what the directory permits, except secrets. */
import type { ServiceConfig } from '../../config/config.ts';
import { publicRefusal } from '../../events/failure.ts';
import { ServiceError } from '../../foundation/errors/errors.ts';
import type { Dn } from '../../foundation/text/dn.ts';
import { equal } from '../../foundation/text/filter.ts';
import type { Limits } from '../../limits/limits.ts';
import { userKey } from '../../limits/source.ts';
import type { Directory, DirectoryServer } from '../../ports/directory/directory.ts';
import type {
  FoundEntries,
  LdapIdentity,
  LdapResult,
  ServedComparison,
  ServedSearch,
} from '../../ports/directory/served-directory.ts';
import type { Log } from '../../ports/log/log.ts';
import { asksForHidden, type Hidden, withoutHidden } from './hidden.ts';
import { refusedWith, resultOf } from './results.ts';

export interface ReadingView {
  readonly server: Pick<DirectoryServer, 'bind' | 'revision'>;
  readonly limits: Pick<Limits, 'look'>;
  readonly config: Pick<ServiceConfig, 'limits'>;
  readonly log: Log;
}

/** Makes the identity of an anonymous connection, or of a login without the directory's password: every read is refused. */
export function mayReadNothing(authzId: string, why: string): LdapIdentity {
  const refused = refusedWith('insufficientAccessRights', why);
  return {
    authzId,
    search: async () => ({ entries: [], result: refused }),
    compare: async () => refused,
    close: async () => undefined,
  };
}

interface LoggedIn {
  readonly dn: Dn;
  readonly password: string;
  /** The revision of the entry at the login. */
  readonly revision: string | undefined;
  readonly transaction: string;
}

/** Reads as its user. The directory is bound at the first search: most clients ask nothing. */
export class BoundUser implements LdapIdentity {
  readonly authzId: string;
  readonly #who: LoggedIn;
  readonly #view: ReadingView;
  readonly #isHidden: Hidden;
  #bound: Promise<Directory> | undefined;

  constructor(who: LoggedIn, view: ReadingView, isHidden: Hidden) {
    this.authzId = `dn:${who.dn.format()}`;
    this.#who = who;
    this.#view = view;
    this.#isHidden = isHidden;
  }

  async search(search: ServedSearch): Promise<FoundEntries> {
    if (asksForHidden(search.filter, this.#isHidden)) return { entries: [], result: hidden };
    try {
      const { attributes, sizeLimit, ...asked } = search;
      const most = this.#most(sizeLimit);
      const directory = await this.#directory();
      const found = await directory.search({
        ...asked,
        ...(attributes.length > 0 && { attributes: attributes.filter((name) => !this.#isHidden(name)) }),
        limit: most + 1,
        partial: true,
      });
      const entries = found.slice(0, most).map((entry) => withoutHidden(entry, this.#isHidden));
      return { entries, result: { code: found.length > most ? 'sizeLimitExceeded' : 'success' } };
    } catch (error) {
      return { entries: [], result: this.#resultOf(error) };
    }
  }

  async compare({ dn, attribute, value }: ServedComparison): Promise<LdapResult> {
    if (this.#isHidden(attribute)) return hidden;
    try {
      const directory = await this.#directory();
      const filter = equal(attribute, value);
      const [same] = await directory.search({ base: dn, scope: 'base', filter, attributes: ['1.1'] });
      if (same) return { code: 'compareTrue' };
      const entry = await directory.read(dn, [attribute]);
      if (!entry) return { code: 'noSuchObject' };
      return { code: entry.attributes.size > 0 ? 'compareFalse' : 'noSuchAttribute' };
    } catch (error) {
      return this.#resultOf(error);
    }
  }

  async close(): Promise<void> {
    const directory = await this.#bound?.catch(() => undefined);
    await directory?.close();
  }

  /** Whatever changes the entry (another password, a deactivation, a lock), and a block, ends what was granted before. */
  async #directory(): Promise<Directory> {
    const { dn, revision } = this.#who;
    const { server, limits } = this.#view;
    if ((await server.revision(dn)) !== revision || (await limits.look(userKey(dn), 'web')).block)
      throw over();
    this.#bound ??= this.#bind();
    return this.#bound;
  }

  async #bind(): Promise<Directory> {
    const { dn, password } = this.#who;
    const bound = await this.#view.server.bind(dn, password);
    if (!bound.granted) throw over();
    return bound.directory;
  }

  #most(wanted: number): number {
    const { search_entries } = this.#view.config.limits;
    return wanted > 0 ? Math.min(wanted, search_entries) : search_entries;
  }

  #resultOf(error: unknown): LdapResult {
    return resultOf(
      publicRefusal(error, this.#view.log, { transaction: this.#who.transaction, door: 'ldap' }),
    );
  }
}

const hidden = refusedWith('insufficientAccessRights', 'this attribute is told to nobody by LDAP');

const over = (): ServiceError =>
  new ServiceError('permission_denied', {
    detail: 'the user was changed or blocked since the bind: bind again',
  });
