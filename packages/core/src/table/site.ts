/** A site of an application: all that stands below one path of the web services, beside its operations. */
import type { WebAnswer, WebRequest } from '../foundation/http/http.ts';
import type { Names } from './dialect.ts';
import type { OwnCallsOf } from './own-calls.ts';

/** What a site does things by, beside its ground. */
export interface SiteDoors {
  /** The operations of the web services in process, by the words of the services. */
  readonly operations: Readonly<Record<string, unknown>>;
  /** Methods as users call them about their own entries. */
  readonly own: OwnCallsOf;
}

/** @typeParam Touched what it touches beside the request */
export interface Site<Touched = unknown> {
  /** What its paths begin with, without a slash in front: `openid`, `webapps/pwreset`. */
  path(names: Names): string;
  /** It stands at the Manager's address as well. */
  readonly isShared?: true;
  /** Undefined: the configuration wants none. @throws StartError where something is missing that the configuration wants */
  open(ground: Touched, doors: SiteDoors): OpenSite | undefined;
}

export interface OpenSite {
  /** Answers one request; throws nothing. */
  answer(request: WebRequest): Promise<WebAnswer>;
}
