/** What SOAP and REST have in common: a request is read, an operation answers, and its fields are written. */
import type { ServiceConfig } from '../config.ts';
import type { ServiceError } from '../errors.ts';
import type { WebAnswer, WebRequest } from '../http.ts';
import type { Given, Written } from './fields.ts';
import type { NamedOperation, WebService } from './operations.ts';

export type Limits = ServiceConfig['limits'];

/** The operation that a request asks for, and its fields. */
export interface Asked {
  readonly operation: NamedOperation;
  readonly given: Given;
}

/** What SOAP and REST differ in. */
export interface WireFormat {
  /** @throws ServiceError if it is no request to this service */
  read(request: WebRequest, service: WebService, limits: Limits): Promise<Asked>;
  write(fields: Written, asked: Asked, service: WebService): WebAnswer;
  /** The answer where no operation was run. */
  refuse(error: ServiceError): WebAnswer;
}
