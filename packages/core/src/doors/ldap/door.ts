/**
 * The LDAP door: logins by a simple bind, for applications that speak only LDAP. Password and code are one text, as for `otpSimpleLogin`.
 * Reads are passed to the directory as the bound user; nothing is written.
 */

import type { Callers } from '../../administration/policy/callers.ts';
import type { RowView } from '../../applications/context/call.ts';
import { publicRefusal } from '../../events/failure.ts';
import { byDn } from '../../login/context.ts';
import { login } from '../../login/login.ts';
import type { LoginRequest } from '../../login/request.ts';
import type { LoginCall } from '../../login/view.ts';
import { loginApplication } from '../../login/view.ts';
import type {
  LdapClient,
  LdapIdentity,
  LdapResult,
  LdapService,
  SimpleBind,
} from '../../ports/directory/served-directory.ts';
import { randomWord } from '../../ports/random.ts';
import { type Hidden, hiddenBy } from './hidden.ts';
import { BoundUser, mayReadNothing } from './identities.ts';
import { refusedWith, resultOf } from './results.ts';

/** The parts of a service that the LDAP door needs. */
export interface LdapView extends RowView {
  readonly callers: Pick<Callers, 'at'>;
}

export class LdapDoor implements LdapService {
  readonly nobody = mayReadNothing('', 'bind first');
  readonly #view: LdapView;
  readonly #isHidden: Hidden;

  constructor(view: LdapView) {
    this.#view = view;
    this.#isHidden = hiddenBy(view.config.schema);
  }

  bind(shown: SimpleBind, client: LdapClient): Promise<LdapIdentity | LdapResult> {
    return this.#view.patience.during(() => this.#bind(shown, client));
  }

  async #bind({ name, password }: SimpleBind, client: LdapClient): Promise<LdapIdentity | LdapResult> {
    if (name === '' && password === '') return this.nobody;
    if (password === '') return withoutPassword;
    const id = randomWord(this.#view.random, 8);
    try {
      const call = this.#call(client, id);
      return await this.#logIn(byName(name, call), password, call);
    } catch (error) {
      const about = { transaction: id, client: `${client.address}:${client.port}` };
      const refusal = publicRefusal(error, this.#view.log, about);
      // A name that no login could have is nobody's, also the empty one (RFC 4513 §5.1.3).
      return refusal.reason === 'invalid_params' ? refusedWith('invalidCredentials') : resultOf(refusal);
    }
  }

  /** No program answers a challenge of an LDAP bind, and a code that is sent is good for an answer only. */
  async #logIn(who: LoginRequest, password: string, call: LoginCall): Promise<LdapIdentity | LdapResult> {
    const outcome = await login({ ...who, demand: { asks: 'never' }, anyPassword: password }, call);
    if (outcome.kind !== 'granted') return refusedWith('invalidCredentials');
    const { dn, isByPassword } = outcome.by;
    if (!isByPassword) return mayReadNothing(`dn:${dn.format()}`, unread);
    const own = outcome.concat > 0 ? password.slice(0, -outcome.concat) : password;
    const revision = await this.#view.server.revision(dn);
    const loggedIn = { dn, password: own, revision, transaction: call.transaction.id };
    return new BoundUser(loggedIn, this.#view, this.#isHidden);
  }

  /** The listener names the client of programs whose address names none; a bind names nothing. */
  #call({ address, port, signal, policy }: LdapClient, id: string): LoginCall {
    const { choosesPolicy: _, ...at } = this.#view.callers.at(address);
    return {
      ...this.#view,
      caller: policy === undefined ? at : { client: policy, ...at },
      transaction: { id, client: `${address}:${port}` },
      application: loginApplication(this.#view),
      operation: 'ldap bind',
      signal,
    };
  }
}

/** A DN has an equals sign, a login name none. @throws ServiceError `invalid_dn` */
const byName = (name: string, call: LoginCall) =>
  name.includes('=') ? byDn(name, call) : { username: name };

/** RFC 4513 §5.1.2: clients take the success of such a bind for a login. */
const withoutPassword = refusedWith('unwillingToPerform', 'a bind with a name wants a password');

const unread = 'the login had no password of the directory in it, and reads nothing there';
