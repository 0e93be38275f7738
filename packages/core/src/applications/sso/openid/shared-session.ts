/** The SSO session that a login by OpenID Connect begins, by the operations of `Sso` in process. */
import { ServiceError } from '../../../foundation/errors/errors.ts';
import type { AccountName } from '../../../login/request.ts';

/** The answer of an operation of the web services in process. */
interface Told {
  readonly code: number;
  readonly error?: string | undefined;
  readonly session?: string | undefined;
}

/** The operations that keep a session, in process. */
export interface LoginOperations {
  readonly sso: {
    start(request: AccountName & { readonly client: string; readonly source: string }): Promise<object>;
    check(request: { readonly session: string }): Promise<object>;
    stop(request: { readonly session: string }): Promise<object>;
  };
}

interface SessionOperations {
  readonly operations: LoginOperations;
}

/**
 * Begins a session for the account that the login has found: services preset domains of their own, in which the same name may be
 * another user's.
 * @returns the id of the session; undefined: the user may begin none
 */
export async function startSharedSession(
  account: AccountName | undefined,
  at: { readonly client: string; readonly source: string },
  { operations: { sso } }: SessionOperations,
): Promise<string | undefined> {
  if (!account) return undefined;
  const begun = await sso.start({ ...account, ...at });
  const { code, session } = begun as Told;
  return code === 1 ? session : undefined;
}

/** @throws ServiceError `unavailable` */
export async function isAlive(session: string, { operations: { sso } }: SessionOperations): Promise<boolean> {
  const { code, error } = (await sso.check({ session })) as Told;
  if (error === 'ServerError') throw new ServiceError('unavailable');
  return code === 1;
}
