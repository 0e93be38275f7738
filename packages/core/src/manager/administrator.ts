/**
 * Administrators: who they are, that they may administer, and a directory bound as them (specification
 * §5.1, modes DN and UID). What they may do there is for the directory's own access rules and their roles to say.
 */
import { isUtf8 } from 'node:buffer';
import type { Reach } from '../access/reach.ts';
import type { Core } from '../core.ts';
import type { Directory } from '../directory/directory.ts';
import { Dn } from '../directory/dn.ts';
import type { Domain } from '../directory/domain.ts';
import { decoyUser, findUser, isAdmitted, splitLogin } from '../directory/user.ts';
import { isReason, ServiceError } from '../errors.ts';
import { addressSubject, userSubject } from '../throttle.ts';

export interface Credentials {
  /** A DN in mode DN; `user` or `Domain\user` in mode UID. */
  readonly username: string;
  readonly password: string;
}

/** A directory bound as a user. */
export interface Bound {
  readonly administrator: Dn;
  /** Whoever logs in closes it. */
  readonly directory: Directory;
  /** The entry's revision before the bind; undefined where sessions are off and nobody will compare it. */
  readonly revision: string | undefined;
}

export interface Login extends Bound {
  /** What makes it an administrator, and of what. */
  readonly reach: Reach;
}

const maxLength = 4096;

export class Administrators {
  readonly #core: Core;

  constructor(core: Core) {
    this.#core = core;
  }

  /**
   * Judges credentials. A refusal comes after `login_failure_delay_ms`, whatever it is for, so that its time
   * tells nothing. Wrong credentials cost what right ones cost: where there is no such user, a bind is tried
   * all the same.
   * @param address the caller's, for the throttle
   * @throws ServiceError `credentials_refused`, `too_many_attempts`, `permission_denied` if they are right
   * but not an administrator's, `unavailable`
   */
  async login(credentials: Credentials, address: string): Promise<Login> {
    const { clock, config, throttle } = this.#core;
    const earliest = clock.now() + config.limits.login_failure_delay_ms;
    try {
      const bound = await throttle.attempt(addressSubject(address, config.limits), () =>
        this.#judge(credentials),
      );
      if (!bound) throw new ServiceError('credentials_refused');
      return await this.#authorise(bound);
    } catch (error) {
      if (isReason(error, 'credentials_refused', 'too_many_attempts'))
        await clock.sleep(Math.max(0, earliest - clock.now()));
      throw error;
    }
  }

  /** Binds as a user; undefined if the directory refuses, or wants another password first. */
  async bind(user: Dn, password: string): Promise<Bound | undefined> {
    const { config, directory } = this.#core;
    // Before the bind: a change that comes between the two is seen at the next request.
    const revision = config.manager_session > 0 ? await directory.revision(user) : undefined;
    const bound = await directory.bind(user, password);
    if (!bound.granted) return undefined;
    if (!bound.mustChange) return { administrator: user, directory: bound.directory, revision };
    await bound.directory.close();
    return undefined;
  }

  /** The domain that a user came by still lets it in: its groups may have changed since the login. */
  async stillAdmits(user: Dn, username: string): Promise<boolean> {
    const { config, directory } = this.#core;
    if (config.manager_auth === 'DN') return true;
    const { domain } = this.#named(username);
    return (
      domain !== undefined && isAdmitted(user, { domain, roles: config.schema, service: directory.service })
    );
  }

  async #authorise(bound: Bound): Promise<Login> {
    try {
      const reach = await this.#core.roles.reach(bound.administrator);
      if (reach) return { ...bound, reach };
      throw new ServiceError('permission_denied', { detail: 'this account is not an administrator' });
    } catch (error) {
      await bound.directory.close();
      throw error;
    }
  }

  async #judge({ username, password }: Credentials): Promise<Bound | undefined> {
    const plausible = username.length <= maxLength && password.length <= maxLength && password !== '';
    const known = plausible ? await this.#find(username) : undefined;
    // A user that does not exist has a counter like any other, so that it cannot be told from one that does.
    const user = known ?? this.#decoy(username);
    return this.#core.throttle.attempt(userSubject(user, this.#core.config.limits), async () => {
      const bound = await this.bind(user, plausible ? password : 'x');
      if (known) return bound;
      await bound?.directory.close();
      return undefined;
    });
  }

  async #find(username: string): Promise<Dn | undefined> {
    const { config, directory, domains } = this.#core;
    if (config.manager_auth === 'DN') return Dn.tryParse(username);
    const { domain, name } = this.#named(username);
    try {
      const where = { domain: domain ?? domains.preset, roles: config.schema };
      const { service } = directory;
      const user = await findUser(service, { username: name, ...where, service });
      return domain && user;
    } catch (error) {
      if (isReason(error, 'not_found')) return undefined;
      throw error;
    }
  }

  /** Who does not exist is counted under one name, too, with the domain or without it. */
  #decoy(username: string): Dn {
    const { domain, name } = this.#named(username);
    const { base } = domain ?? this.#core.domains.preset;
    return decoyUser(base, domain ? name : username);
  }

  /** The parts of a login name; no domain if there is none of that name. */
  #named(username: string): { domain: Domain | undefined; name: string } {
    const { domains } = this.#core;
    const [domain, name] = splitLogin(username);
    return { domain: domain === undefined ? domains.preset : domains.find(domain), name };
  }
}

/** The credentials of an `Authorization: Basic` header, RFC 7617 (UTF-8); undefined if it is none. */
export function basicCredentials(header: string): Credentials | undefined {
  const [, base64] = /^Basic +([A-Za-z0-9+/=_-]+) *$/i.exec(header) ?? [];
  if (base64 === undefined) return undefined;
  const text = Buffer.from(base64, 'base64');
  const colon = text.indexOf(':');
  if (colon < 0 || !isUtf8(text)) return undefined;
  return { username: text.toString('utf8', 0, colon), password: text.toString('utf8', colon + 1) };
}
