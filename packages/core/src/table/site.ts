/** A site of an application: everything below one path of the web services, beside its operations. */
import type { WebRequest, WebResponse } from '../foundation/http/http.ts';
import type { Names } from './dialect.ts';
import type { OwnCallsOf } from './own-calls.ts';

/** The doors that a site may use, beside its context. */
export interface SiteDoors {
  /** The operations of the web services in process, by service. */
  readonly operations: Readonly<Record<string, unknown>>;
  /** Calls of methods by users on their own entries. */
  readonly own: OwnCallsOf;
}

/** A row of a site. @typeParam Touched context beside the request */
export interface Site<Touched = unknown> {
  /** Returns the prefix of its paths, without a leading slash: `openid`, `webapps/pwreset`. */
  path(names: Names): string;
  /** Whether it is served at the Manager's address, too. */
  readonly isShared?: true;
  /** Opens the site; undefined where it is not configured. @throws StartError where its configuration is incomplete */
  open(context: Touched, doors: SiteDoors): OpenSite | undefined;
}

export interface OpenSite {
  /** Answers a request; never throws. */
  answer(request: WebRequest): Promise<WebResponse>;
}
