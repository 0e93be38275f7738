/**
 * Administrators: who they are, that they may administer, and a directory bound as them (specification
 * §5.1). What they may do there is for the directory's own access rules and their roles to say.
 */
import type { Reach } from '../access/reach.ts';
import type { Core } from '../core.ts';
import type { Directory } from '../directory/directory.ts';
import type { Dn } from '../directory/dn.ts';
import { isReason, ServiceError } from '../errors.ts';
import { addressSubject, userSubject } from '../throttle.ts';
import type { Proof } from './credentials.ts';
import { type Identities, type Identity, identitiesOf } from './identity.ts';

/** A directory bound as a user. */
export interface Bound {
  readonly administrator: Dn;
  /** Whoever logs in closes it. */
  readonly directory: Directory;
  /** The entry's revision before the bind; undefined where sessions are off and nobody will compare it. */
  readonly revision: string | undefined;
}

export interface Login extends Bound, Pick<Identity, 'fingerprint'> {
  /** What makes it an administrator, and of what. */
  readonly reach: Reach;
}

const maxLength = 4096;

export class Administrators {
  readonly #core: Core;
  readonly #identities: Identities;

  constructor(core: Core) {
    this.#core = core;
    this.#identities = identitiesOf(core);
  }

  /**
   * Judges credentials. A refusal comes after `login_failure_delay_ms`, whatever it is for, so that its time
   * tells nothing. Wrong credentials cost what right ones cost: where there is no such user, a bind is tried
   * all the same.
   * @param address the caller's, for the throttle
   * @throws ServiceError `credentials_refused`, at once where there is no certificate to judge; `too_many_attempts`;
   *   `permission_denied` if they are right but not an administrator's; `unavailable`
   */
  async login(proof: Proof, address: string): Promise<Login> {
    const { clock, config, throttle } = this.#core;
    const detail = this.lacks(proof);
    if (detail !== undefined) throw new ServiceError('credentials_refused', { detail });
    const earliest = clock.now() + config.limits.login_failure_delay_ms;
    try {
      const from = addressSubject(address, config.limits, 'manager');
      const bound = await throttle.attempt(from, () => this.#judge(proof));
      if (!bound) throw new ServiceError('credentials_refused');
      const login = await this.#authorise(bound);
      await throttle.forgive(userSubject(login.administrator, config.limits));
      return login;
    } catch (error) {
      if (isReason(error, 'credentials_refused', 'too_many_attempts'))
        await clock.sleep(Math.max(0, earliest - clock.now()));
      throw error;
    }
  }

  /** What has to come with credentials and does not, in words; nothing is judged without it. */
  lacks({ certificate }: Pick<Proof, 'certificate'>): string | undefined {
    const isLacking = this.#core.config.manager_auth === 'PKI' && !certificate;
    return isLacking ? 'a client certificate is needed' : undefined;
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

  /** A user that came by a login name may still come by it. */
  stillAdmits(user: Dn, username: string): Promise<boolean> {
    return this.#identities.stillAdmits(user, username);
  }

  async #authorise(bound: Omit<Login, 'reach'>): Promise<Login> {
    try {
      const reach = await this.#core.roles.reach(bound.administrator);
      if (reach) return { ...bound, reach };
      throw new ServiceError('permission_denied', { detail: 'this account is not an administrator' });
    } catch (error) {
      await bound.directory.close();
      throw error;
    }
  }

  async #judge(proof: Proof): Promise<Omit<Login, 'reach'> | undefined> {
    const { username, password } = proof;
    const plausible = username.length <= maxLength && password.length <= maxLength && password !== '';
    const known = plausible ? await this.#identities.find(proof) : undefined;
    // A user that does not exist has a counter like any other, so that it cannot be told from one that does.
    const user = known?.user ?? this.#identities.decoy(proof);
    return this.#core.throttle.attempt(userSubject(user, this.#core.config.limits), async () => {
      const bound = await this.bind(user, plausible ? password : 'x');
      if (known) return bound && { ...bound, fingerprint: known.fingerprint };
      await bound?.directory.close();
      return undefined;
    });
  }
}
