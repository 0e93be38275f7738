/** The operation table: the web services of the applications and their operations, found by any of their names. */

import type { OperationCall, ServedApplications } from '../../applications/context/call.ts';
import type { Bundled } from '../../applications/index.ts';
import { ServiceError } from '../../foundation/errors/errors.ts';
import type { Applications } from '../../table/application.ts';
import { type Dialect, dialects, type Names } from '../../table/dialect.ts';
import type { ServingApplication } from '../../table/known-application.ts';
import type { AnyOperation, Fields, Operations, Values } from '../../table/operation.ts';
import {
  type FieldReader,
  type FieldWriter,
  fieldReader,
  fieldWriter,
  filled,
  type JsonWriter,
  jsonWriter,
} from './fields.ts';

/** Longest body of a request in bytes, where its row does not say more. */
export const usualBody = 65_536;

/** An operation and what it is called in this installation. */
export interface NamedOperation {
  readonly name: string;
  /** The key of its row. */
  readonly ours: string;
  readonly application: ServingApplication;
  readonly operation: AnyOperation<OperationCall>;
  readonly readFields: FieldReader;
  readonly writeFields: FieldWriter;
  readonly writeJson: JsonWriter;
}

/** Every operation as a function, by the words of the services that have any: `otp.normalLogin({…})`. */
export type WebCalls<A extends Applications = Bundled> = {
  readonly [Name in keyof A as keyof A[Name]['operations'] extends never
    ? never
    : A[Name]['service']]: Operations<A[Name]['operations'], A[Name]['service']>;
};

/** The web service of one application. Names are found in our words and theirs, without regard to case. */
export class WebService {
  readonly application: ServedApplications[string];
  /** The name in this installation: in paths, namespaces and operations. */
  readonly word: string;
  readonly operations: readonly NamedOperation[];
  /** Longest body that any operation of it takes, in bytes. */
  readonly longestBody: number;
  readonly #byName = new Map<string, NamedOperation>();
  readonly #fillsRefusals: boolean;

  constructor(
    application: ServedApplications[string],
    names: Names,
    { answersCanonicalNames }: Pick<Dialect, 'answersCanonicalNames'>,
  ) {
    this.application = application;
    this.word = names.theirs(application.service);
    this.#fillsRefusals = !answersCanonicalNames && application.refusesWithAllFields === true;
    this.operations = Object.entries(application.operations).map(([name, operation]) =>
      this.#enter(name, answersCanonicalNames ? operation : withoutOurs(operation)),
    );
    this.longestBody = Math.max(usualBody, ...this.operations.map(({ operation: { body = 0 } }) => body));
  }

  /** The namespace of SOAP bodies. */
  get namespace(): string {
    return `urn:${this.word}`;
  }

  /** @throws ServiceError `method_not_found` */
  find(name: string): NamedOperation {
    const operation = this.known(name);
    if (operation) return operation;
    throw new ServiceError('method_not_found', { detail: `There is no operation '${name.slice(0, 64)}'` });
  }

  known(name: string): NamedOperation | undefined {
    return this.#byName.get(name.toLowerCase());
  }

  #enter(ours: string, operation: AnyOperation<OperationCall>): NamedOperation {
    const { application } = this;
    const { service } = application;
    const name = ours.startsWith(service) ? this.word + ours.slice(service.length) : ours;
    const named = {
      ...{ name, ours, application, operation },
      readFields: fieldReader(operation.request),
      ...writersOf(operation, this.#fillsRefusals),
    };
    for (const spelling of [ours, name]) this.#byName.set(spelling.toLowerCase(), named);
    return named;
  }
}

function writersOf(
  { response }: AnyOperation<OperationCall>,
  fillsRefusals: boolean,
): Pick<NamedOperation, 'writeFields' | 'writeJson'> {
  const writers = { writeFields: fieldWriter(response), writeJson: jsonWriter(response) };
  if (!fillsRefusals) return writers;
  const whole = (values: Values<Fields>) => (values.code === 0 ? filled(response, values) : values);
  return {
    writeFields: (values) => writers.writeFields(whole(values)),
    writeJson: (values) => writers.writeJson(whole(values)),
  };
}

const withoutOurs = (operation: AnyOperation<OperationCall>): AnyOperation<OperationCall> => ({
  ...operation,
  response: Object.fromEntries(Object.entries(operation.response).filter(([, { ours }]) => !ours)),
});

export class OperationTable {
  readonly services: readonly WebService[];
  readonly #byWord = new Map<string, WebService>();

  constructor(
    applications: ServedApplications,
    names: Names,
    dialect: Pick<Dialect, 'answersCanonicalNames'> = dialects.standard,
  ) {
    this.services = Object.values(applications)
      .filter(({ operations }) => Object.keys(operations).length > 0)
      .map((application) => this.#enter(new WebService(application, names, dialect)));
  }

  find(word: string): WebService | undefined {
    return this.#byWord.get(word.toLowerCase());
  }

  #enter(service: WebService): WebService {
    for (const word of [service.application.service, service.word])
      this.#byWord.set(word.toLowerCase(), service);
    return service;
  }
}
