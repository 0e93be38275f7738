/** A site of an application: all that stands below one path of the web services, beside its operations. */
import type { WebAnswer, WebRequest } from '../http/http.ts';

/** @typeParam Touched what it touches beside the request */
export interface Site<Touched = unknown> {
  /** The first part of its paths: `openid`. */
  readonly path: string;
  /**
   * Undefined: the configuration wants none.
   * @param operations those of the web services in process, by the words of the services
   * @throws StartError where something is missing that the configuration wants
   */
  open(ground: Touched, operations: Readonly<Record<string, unknown>>): OpenSite | undefined;
}

export interface OpenSite {
  /** Answers one request; throws nothing. */
  answer(request: WebRequest): Promise<WebAnswer>;
}
