/**
 * Logins at pages and doors of ours. A page names its client policy and its own demand; it has no `settings` and no right to choose
 * another policy. `asks: 'always'` overrules `ChallengeMode=No`, and no factor of the policy is lost by it: the page asks for the
 * code that a caller would have sent along.
 */
import { ServiceError } from '../foundation/errors/errors.ts';
import type { ServingApplication } from '../table/known-application.ts';
import type { Transaction } from '../table/method.ts';
import type { ChallengeAnswer, Demand, LoginRequest, LoginSecrets } from './login-request.ts';
import type { LoginCall } from './view.ts';

/** A page that logs people in. */
export interface LoginDoor {
  /** The client that the page is, for policies and in messages with codes. */
  readonly client: string;
  readonly application: ServingApplication;
  /** The name of the operation in the log. */
  readonly operation: string;
  readonly demand?: Demand | undefined;
}

/** The parts of a service that a login touches, without the call. */
export type PageLoginView = Omit<LoginCall, 'caller' | 'application' | 'operation' | 'transaction' | 'gone'>;

/** One request of a browser. */
export interface DoorRequest {
  readonly view: PageLoginView;
  /** The IP address of the browser. */
  readonly address: string;
  readonly transaction: Transaction;
  readonly gone?: AbortSignal | undefined;
}

/** The fields that the browser has sent. With a session the rest is the answer to its challenge. */
export type ShownAtPage = Pick<LoginRequest, 'username' | 'domain'> &
  Pick<ChallengeAnswer, 'session' | 'otp' | 'assertion'> & {
    /** Says that the name is a DN; as `byDn` reads it. */
    readonly options?: 'LDAPDN' | undefined;
    /** Left out: the code stands alone. */
    readonly password?: string | undefined;
    /** Password and code in one text; it is judged in place of both. */
    readonly anyPassword?: string | undefined;
  };

export const requestAtPage = (
  { username, domain, options, anyPassword, password, otp }: ShownAtPage,
  { demand }: Pick<LoginDoor, 'demand'>,
): LoginRequest & LoginSecrets => ({
  ...{ username, domain, options, demand: { ...demand, isByPerson: true } },
  ...(anyPassword === undefined ? { password, otp } : { anyPassword }),
});

/** The browser is the caller, also at the loopback address of a proxy that is not listed (concepts.md §7); no caller is trusted. */
export function callAtPage({ client, application, operation }: LoginDoor, asked: DoorRequest): LoginCall {
  const { view, address, transaction, gone } = asked;
  return { ...view, application, operation, transaction, gone, caller: { address, client } };
}

/** The application whose web service logs people in. @throws ServiceError `unavailable` where an installation has none */
export function loginApplication({ applications }: Pick<LoginCall, 'applications'>): ServingApplication {
  const application = Object.values(applications).find(({ service }) => service === 'otp');
  if (application) return application;
  throw new ServiceError('unavailable', { detail: 'there is no application Otp' });
}
