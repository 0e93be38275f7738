/**
 * Administrators: who they are, that they may administer, and a directory bound as them (specification
 * §5.1). What they may do there is for the directory's own access rules and their roles to say.
 */
import type { Reach } from '../access/reach.ts';
import type { Core } from '../core.ts';
import { whyNoLogin, wrongPassword } from '../directory/bind-refusal.ts';
import type { Directory } from '../directory/directory.ts';
import type { Dn } from '../directory/dn.ts';
import { ServiceError } from '../errors.ts';
import type { Transaction } from '../method.ts';
import { addressSubject, userSubject } from '../throttle.ts';
import type { Proof } from './credentials.ts';
import { type Identities, type Identity, identitiesOf } from './identity.ts';
import { type Refusal, recordRefusal } from './refusal.ts';

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

/** Who asks to be let in. */
export interface Visitor {
  /** Whose failures are counted together. */
  readonly address: string;
  readonly transaction: Transaction;
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
   * @returns an error for who is refused, which is on record then: `credentials_refused`, at once where there is no
   *   certificate to judge; `too_many_attempts`; `permission_denied` if they are right but not an administrator's
   * @throws ServiceError `unavailable`
   */
  async login(proof: Proof, { address, transaction }: Visitor): Promise<Login | ServiceError> {
    const { clock, config } = this.#core;
    const detail = this.lacks(proof);
    if (detail !== undefined) return new ServiceError('credentials_refused', { detail });
    const earliest = clock.now() + config.limits.login_failure_delay_ms;
    const judged = await this.#admit(proof, address);
    if ('reach' in judged) return judged;
    try {
      await recordRefusal(proof.username, judged, { transaction, core: this.#core });
    } finally {
      await clock.sleep(Math.max(0, earliest - clock.now()));
    }
    return judged.error;
  }

  /** What has to come with credentials and does not, in words; nothing is judged without it. */
  lacks({ certificate }: Pick<Proof, 'certificate'>): string | undefined {
    const isLacking = this.#core.config.manager_auth === 'PKI' && !certificate;
    return isLacking ? 'a client certificate is needed' : undefined;
  }

  /** Binds as a user, or says why not: the directory refuses, or wants another password first. */
  async bind(user: Dn, password: string): Promise<Bound | string> {
    const { config, directory } = this.#core;
    // Before the bind: a change that comes between the two is seen at the next request.
    const revision = config.manager_session > 0 ? await directory.revision(user) : undefined;
    const bound = await directory.bind(user, password);
    if (bound.granted && !bound.mustChange)
      return { administrator: user, directory: bound.directory, revision };
    if (bound.granted) await bound.directory.close();
    return whyNoLogin(bound) ?? wrongPassword;
  }

  /** A user that came by a login name may still come by it. */
  stillAdmits(user: Dn, username: string): Promise<boolean> {
    return this.#identities.stillAdmits(user, username);
  }

  /** What the address of a stranger may try: whoever is no administrator has failed, too. */
  async #admit(proof: Proof, address: string): Promise<Login | Refusal> {
    const { config, throttle } = this.#core;
    const from = addressSubject(address, config.limits, 'manager');
    let refusal: Refusal = wrong('');
    try {
      const login = await throttle.attempt(from, async () => {
        const judged = await this.#judge(proof);
        if ('reach' in judged) return judged;
        refusal = judged;
        return undefined;
      });
      return login ?? refusal;
    } catch (error) {
      if (error instanceof ServiceError && error.reason === 'too_many_attempts') return { error };
      throw error;
    }
  }

  async #judge(proof: Proof): Promise<Login | Refusal> {
    const { username, password } = proof;
    const plausible = username.length <= maxLength && password.length <= maxLength && password !== '';
    const found = plausible ? await this.#identities.find(proof) : 'no credentials that could be right';
    const known = typeof found === 'string' ? undefined : found;
    // A user that does not exist has a counter like any other, so that it cannot be told from one that does.
    const user = known?.user ?? this.#identities.decoy(proof);
    let why = wrongPassword;
    const bound = await this.#core.throttle.attempt(userSubject(user, this.#core.config.limits), async () => {
      const answer = await this.bind(user, plausible ? password : 'x');
      if (typeof answer === 'string') why = answer;
      else if (known) return answer;
      else await answer.directory.close();
      return undefined;
    });
    if (!known) return wrong(typeof found === 'string' ? found : why);
    return bound ? this.#authorise({ ...bound, fingerprint: known.fingerprint }) : wrong(why, user);
  }

  async #authorise(bound: Omit<Login, 'reach'>): Promise<Login | Refusal> {
    try {
      const { config, roles, throttle } = this.#core;
      const reach = await roles.reach(bound.administrator);
      if (reach) {
        await throttle.forgive(userSubject(bound.administrator, config.limits));
        return { ...bound, reach };
      }
    } catch (error) {
      await bound.directory.close();
      throw error;
    }
    await bound.directory.close();
    const why = 'this account is not an administrator';
    return { error: new ServiceError('permission_denied', { detail: why }), why, dn: bound.administrator };
  }
}

const wrong = (why: string, dn?: Dn): Refusal => ({
  ...{ error: new ServiceError('credentials_refused'), why },
  ...(dn && { dn }),
});
