/**
 * The login of administrators: identifies them, checks that they may administer, and binds a directory as them. Their rights are decided
 * by the directory's access rules and by roles.
 */

import type { EffectiveRights } from '../../../administration/access/effective-rights.ts';
import type { Roles } from '../../../administration/access/roles.ts';
import type { ServiceConfig } from '../../../config/config.ts';
import { whyNoLogin, wrongPassword } from '../../../directory/bind-refusal.ts';
import { hasClass } from '../../../directory/entry/entry.ts';
import { type AuditReport, logReports, recordEvent } from '../../../events/recorded.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import { addressBlock } from '../../../foundation/text/network.ts';
import type { Limits } from '../../../limits/limits.ts';
import {
  type Admitted,
  type AttemptOutcome,
  type AttemptResult,
  fixedOutcome,
  type PossibleOutcomes,
} from '../../../limits/limits-attempt.ts';
import { tooMany, waitOut } from '../../../limits/refusal-answer.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Directory, DirectoryServer, Requester } from '../../../ports/directory/directory.ts';
import type { Transaction } from '../../../table/method.ts';
import { limitEntries, logUnjudged, type RefusalPorts, reportsOfLogin, type TriedLogin } from '../refusal.ts';
import { type ClaimedIdentity, limitsAttemptOf } from './claimed-identity.ts';
import type { ClientList } from './clients.ts';
import type { PresentedCredentials } from './credentials.ts';
import type { AdministratorDoor } from './door.ts';
import type { Identities, Identity, IdentityView } from './identities.ts';
import { identitiesOf } from './identity.ts';

/** A directory bound as a user. */
export interface BoundAdministrator {
  readonly administrator: Dn;
  /** The caller of the login closes it. */
  readonly directory: Directory;
  /** The entry's revision before the bind; undefined where sessions are off and nobody will compare it. */
  readonly revision: string | undefined;
}

export interface AdministratorLogin extends BoundAdministrator, Pick<Identity, 'fingerprint'> {
  /** The effective rights of the administrator. */
  readonly rights: EffectiveRights;
}

/** The caller of a login. */
export interface LoginCaller {
  /** The source of failures. */
  readonly address: string;
  readonly transaction: Transaction;
  /** Aborted when nobody waits for the answer any more. */
  readonly signal?: AbortSignal | undefined;
}

const maxLength = 4096;

const implausible = 'no credentials that could be right';
const noAdministrator = 'this account is not an administrator';

interface Fault {
  /** The reason, for the log and never for the caller. */
  readonly why: string;
  /** Passwords that were wrong. */
  readonly wrong: 0 | 1;
}

/** A visitor with credentials. */
interface Knock extends LoginCaller {
  readonly proof: PresentedCredentials;
}

/** The context of administrators: identities, rights, limits and records. */
export interface AdministratorView extends IdentityView, RefusalPorts {
  readonly config: Pick<ServiceConfig, 'schema' | 'limits' | 'log_unknown_names'>;
  readonly door: AdministratorDoor;
  readonly server: Pick<DirectoryServer, 'service' | 'capabilities' | 'bind' | 'revision'>;
  readonly clock: Clock;
  readonly roles: Pick<Roles, 'rights'>;
  readonly limits: Pick<Limits, 'admit' | 'commit' | 'leave'>;
}

export class Administrators {
  readonly #view: AdministratorView;
  readonly #identities: Identities;
  readonly #clients: ClientList;

  /** @param clients where super administrators are never shut out */
  constructor(view: AdministratorView, clients: ClientList) {
    this.#view = view;
    this.#clients = clients;
    this.#identities = identitiesOf(view);
  }

  /**
   * Judges credentials, as far as the limits allow (docs/concepts/callers-and-sources.md#administrators). A refusal comes after
   * `login_failure_delay_ms` or a whole multiple of it, whatever it is for, so that its time tells nothing. Wrong
   * credentials cost what right ones cost: where there is no such user, a bind is tried all the same.
   * @returns an error for who is refused, which is on record then: `credentials_refused`, at once where there is no
   *   certificate to judge, and also where they are right but not an administrator's; `too_many_attempts`
   * @throws ServiceError `unavailable`
   */
  async login(
    proof: PresentedCredentials,
    { address, transaction, signal }: LoginCaller,
  ): Promise<AdministratorLogin | ServiceError> {
    const { clock, config } = this.#view;
    const detail = this.lacks(proof);
    if (detail !== undefined) return new ServiceError('credentials_refused', { detail });
    const begun = clock.now();
    const claim = await this.#claimOf(proof, address);
    const verdict = await this.#admit(claim, { proof, address, transaction, signal });
    if (!(verdict instanceof ServiceError)) return verdict;
    await waitOut(begun, config.limits.login_failure_delay_ms, clock);
    return verdict;
  }

  /** Returns what credentials lack, in words; without it nothing is judged. */
  lacks({ certificate }: Pick<PresentedCredentials, 'certificate'>): string | undefined {
    const isLacking = this.#view.door.auth === 'PKI' && !certificate;
    return isLacking ? 'a client certificate is needed' : undefined;
  }

  /**
   * Binds as a user, or says why not: the directory refuses, or wants another password first.
   * @param requester optional; default: a user who has presented the password before
   */
  async bind(user: Dn, password: string, requester?: Requester): Promise<BoundAdministrator | string> {
    const { door, server } = this.#view;
    // Before the bind: a change that comes between the two is seen at the next request.
    const revision = door.sessions.longest > 0 ? await server.revision(user) : undefined;
    const bound = await server.bind(user, password, requester);
    if (bound.granted && !bound.mustChange)
      return { administrator: user, directory: bound.directory, revision };
    if (bound.granted) await bound.directory.close();
    return whyNoLogin(bound) ?? wrongPassword;
  }

  /** Binds as an administrator whom a login has let in already, or says why not, for operators. */
  async admit(user: Dn, password: string): Promise<AdministratorLogin | string> {
    const bound = await this.bind(user, password);
    if (typeof bound === 'string') return bound;
    const rights = await this.#rightsOf({}, bound);
    if (rights) return { ...bound, rights };
    await bound.directory.close();
    return noAdministrator;
  }

  /** The user is activated; undefined: at this door it makes no difference. */
  async isActivated(user: Dn): Promise<boolean | undefined> {
    const { door, server, config } = this.#view;
    if (!door.watchesActivation) return undefined;
    const entry = await server.service.read(user, ['objectClass']);
    return entry !== undefined && hasClass(entry, [config.schema.account_class]);
  }

  /** A user that came by a login name may still come by it. */
  stillAdmits(user: Dn, username: string): Promise<boolean> {
    return this.#identities.stillAdmits(user, username);
  }

  /** Whom the credentials name, and whose failures it counts for. */
  async #claimOf(proof: PresentedCredentials, address: string): Promise<ClaimedIdentity> {
    const { username, password } = proof;
    const isPlausible = username.length <= maxLength && password.length <= maxLength && password !== '';
    const found = isPlausible ? await this.#identities.find(proof) : implausible;
    if (typeof found === 'string')
      return { user: this.#identities.decoy(proof), isThere: false, fault: found };
    const { user, fingerprint, isThere = true } = found;
    // Asked before the password only where it matters: who they are is no secret to those who may come here.
    const rights = (await this.#clients.vouchesFor(address)) ? await this.#rights(user) : undefined;
    return { user, isThere, fingerprint, rights };
  }

  async #admit(
    claim: ClaimedIdentity,
    { proof, address, transaction, signal }: Knock,
  ): Promise<AdministratorLogin | ServiceError> {
    const view = this.#view;
    const attempt = limitsAttemptOf(claim, address, view);
    const dn = claim.isThere ? claim.user : undefined;
    const { role: door } = view.door;
    const tried = { username: proof.username, dn, place: attempt.source, transaction, door };
    const caller = `address:${addressBlock(address)}`;
    const entered = await view.limits.admit(attempt);
    if (entered.kind === 'refused') {
      logUnjudged(tried, entered.reason, view);
      return tooMany(entered.secondsLeft);
    }
    const requester = { caller, isKnown: entered.admission.scope === 'known', signal };
    const { judged, refusal } = await this.#inTurn(entered, { claim, proof, requester, tried });
    if (!('why' in judged)) return judged;
    return refusal ? tooMany(refusal.secondsLeft) : new ServiceError('credentials_refused');
  }

  /** Judged, counted and on record before the next one has the turn; what could not be counted is not let in. */
  async #inTurn(
    entered: Admitted,
    {
      claim,
      proof,
      requester,
      tried,
    }: { claim: ClaimedIdentity; proof: PresentedCredentials; requester: Requester; tried: TriedLogin },
  ) {
    let judged: AdministratorLogin | Fault | undefined;
    try {
      judged = await this.#judge(claim, proof, requester);
      const settled = await this.#view.limits.commit(entered, this.#decisionOf(judged, tried));
      logReports(settled.reports, this.#view.log);
      for (const entry of limitEntries(tried, settled.unrecorded, this.#view))
        await recordEvent(entry, tried.transaction, this.#view);
      return { judged, refusal: settled.refusal };
    } catch (error) {
      if (judged && 'directory' in judged) await judged.directory.close();
      throw error;
    } finally {
      this.#view.limits.leave(entered);
    }
  }

  #decisionOf(
    judged: AdministratorLogin | Fault,
    tried: TriedLogin,
  ): PossibleOutcomes<AttemptOutcome, AuditReport> {
    const why = 'why' in judged ? judged.why : undefined;
    return {
      ...fixedOutcome(countsOf(judged)),
      report: (_, happened) => reportsOfLogin(tried, why, happened, this.#view),
    };
  }

  async #judge(
    claim: ClaimedIdentity,
    { password }: PresentedCredentials,
    requester: Requester,
  ): Promise<AdministratorLogin | Fault> {
    const { user, fault, fingerprint } = claim;
    const bound = await this.bind(user, fault === implausible ? 'x' : password, requester);
    if (typeof bound === 'string') return { why: fault ?? bound, wrong: bound === wrongPassword ? 1 : 0 };
    const rights = fault === undefined ? await this.#rightsOf(claim, bound) : undefined;
    if (rights) return { ...bound, fingerprint, rights };
    await bound.directory.close();
    return { why: fault ?? noAdministrator, wrong: 0 };
  }

  async #rightsOf(
    { rights }: Pick<ClaimedIdentity, 'rights'>,
    bound: BoundAdministrator,
  ): Promise<EffectiveRights | undefined> {
    try {
      return rights ?? (await this.#rights(bound.administrator));
    } catch (error) {
      await bound.directory.close();
      throw error;
    }
  }

  #rights(user: Dn): Promise<EffectiveRights | undefined> {
    return this.#view.roles.rights(user, this.#view.door.role);
  }
}

/**
 * A right password without the right to enter is answered as a wrong one, and was no wrong guess. It costs the directory
 * budget what a wrong one costs (docs/concepts/limits.md#directory-budget): else the rest of the budget would show it.
 */
const countsOf = (judged: AdministratorLogin | Fault): AttemptResult =>
  'why' in judged
    ? { end: 'failed', wrongPasswords: judged.wrong, budgetSpent: 1 }
    : { end: 'granted', used: ['password'] };
