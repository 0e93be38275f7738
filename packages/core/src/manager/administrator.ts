/**
 * Administrators: who they are, that they may administer, and a directory bound as them (specification
 * §5.1, modes DN and UID). What they may do there is for the directory's own access rules to say.
 */
import type { Core } from '../core.ts';
import type { Directory } from '../directory/directory.ts';
import { Dn } from '../directory/dn.ts';
import { equal, or } from '../directory/filter.ts';
import { findUser } from '../directory/user.ts';
import { isReason, ServiceError } from '../errors.ts';
import { type Subject, Throttle } from '../throttle.ts';

export interface Credentials {
  /** A DN in mode DN; `user` or `Domain\user` in mode UID. */
  readonly username: string;
  readonly password: string;
}

export interface Login {
  readonly administrator: Dn;
  /** Bound as the administrator; whoever logs in closes it. */
  readonly directory: Directory;
}

const maxLength = 4096;

export class Administrators {
  readonly #core: Core;
  readonly #throttle: Throttle;
  readonly #superAdmins: readonly Dn[];

  constructor(core: Core) {
    this.#core = core;
    this.#throttle = new Throttle(core.store, core.clock);
    this.#superAdmins = core.config.super_admins.map((dn) => Dn.parse(dn));
  }

  /**
   * Judges credentials. Wrong ones are answered after `login_failure_delay_ms`, and cost what right ones
   * cost: where there is no such user, a bind is tried all the same.
   * @param address the caller's, for the throttle
   * @throws ServiceError `credentials_refused`, `too_many_attempts`, `permission_denied` if they are right
   * but not an administrator's, `unavailable`
   */
  async login(credentials: Credentials, address: string): Promise<Login> {
    const started = this.#core.clock.now();
    const login = await this.#judge(credentials, address);
    if (!login) {
      const elapsed = this.#core.clock.now() - started;
      await this.#core.clock.sleep(Math.max(0, this.#core.config.limits.login_failure_delay_ms - elapsed));
      throw new ServiceError('credentials_refused');
    }
    try {
      await this.authorise(login.administrator);
      return login;
    } catch (error) {
      await login.directory.close();
      throw error;
    }
  }

  /** @throws ServiceError `permission_denied` if neither the user nor one of its groups is in `super_admins` */
  async authorise(administrator: Dn): Promise<void> {
    if (this.#superAdmins.some((dn) => dn.equals(administrator))) return;
    for (const group of this.#superAdmins) {
      if (await this.#isMember(group, administrator)) return;
    }
    throw new ServiceError('permission_denied', { detail: 'this account is not an administrator' });
  }

  async #judge({ username, password }: Credentials, address: string): Promise<Login | undefined> {
    const plausible = username.length <= maxLength && password.length <= maxLength && password !== '';
    const known = plausible ? await this.#find(username) : undefined;
    // A user that does not exist has a counter like any other, so that it cannot be told from one that does.
    const user = known ?? this.#decoy(username);
    return this.#throttle.attempt(this.#subjects(address, user), async () => {
      const bound = await this.#core.directory.bind(user, plausible ? password : 'x');
      if (!bound.granted) return undefined;
      if (known && plausible && !bound.mustChange) return { administrator: user, directory: bound.directory };
      await bound.directory.close();
      return undefined;
    });
  }

  async #find(username: string): Promise<Dn | undefined> {
    const { config, directory, domains } = this.#core;
    if (config.manager_auth === 'DN') return Dn.tryParse(username);
    const [domain, name] = splitLogin(username);
    const where = domain === undefined ? domains.preset : domains.find(domain);
    if (!where) return undefined;
    try {
      return await findUser(directory.service, { username: name, domain: where, roles: config.schema });
    } catch (error) {
      if (isReason(error, 'not_found')) return undefined;
      throw error;
    }
  }

  #decoy(username: string): Dn {
    return this.#core.domains.preset.base.child([
      { type: 'uid', value: `${username.slice(0, 64)} does not exist` },
    ]);
  }

  #subjects(address: string, user: Dn): readonly Subject[] {
    const { limits } = this.#core.config;
    return [
      {
        key: `address:${address}`,
        failures: limits.address_failures,
        windowSeconds: limits.address_window_s,
        blockSeconds: limits.address_block_s,
      },
      {
        key: `administrator:${user.key}`,
        failures: limits.user_failures,
        windowSeconds: limits.user_block_s,
        blockSeconds: limits.user_block_s,
      },
    ];
  }

  /** By the group's own member list, read by the service: the administrator may not be allowed to see it. */
  async #isMember(group: Dn, administrator: Dn): Promise<boolean> {
    const { member_attributes } = this.#core.config.schema;
    const filter = or(...member_attributes.map((attribute) => equal(attribute, administrator.toString())));
    try {
      const { service } = this.#core.directory;
      return (await service.search({ base: group, scope: 'base', filter, attributes: ['1.1'] })).length > 0;
    } catch (error) {
      if (isReason(error, 'not_found')) return false;
      throw error;
    }
  }
}

/** `Domain\user` → its two parts; a name without a domain has none. */
export function splitLogin(username: string): readonly [string | undefined, string] {
  const backslash = username.indexOf('\\');
  return backslash < 0
    ? [undefined, username]
    : [username.slice(0, backslash), username.slice(backslash + 1)];
}

/** The credentials of an `Authorization: Basic` header, RFC 7617 (UTF-8); undefined if it is none. */
export function basicCredentials(header: string): Credentials | undefined {
  const match = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header.slice(0, 4 * maxLength));
  const text = match?.[1] === undefined ? '' : Buffer.from(match[1], 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return colon < 0 ? undefined : { username: text.slice(0, colon), password: text.slice(colon + 1) };
}
