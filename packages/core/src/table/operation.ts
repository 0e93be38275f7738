/**
 * A row of the operation table: one operation of a web service. Its key in the table is its name. Dispatch, REST, SOAP, the WSDL, the
 * reference and the client's types are derived from the rows.
 */
import type { Field } from './field.ts';

/** Fields in the order of the WSDL. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

/** The values of fields; undefined for missing ones. */
export type Values<F extends Fields> = {
  readonly [K in keyof F]?: (F[K] extends Field<infer T> ? T : never) | undefined;
};

/**
 * A row.
 * @typeParam Answer may be narrower than the fields, where some occur together
 * @typeParam Touched context of `run`, beside its fields
 */
export interface Operation<
  Request extends Fields,
  Response extends Fields,
  Answer extends Values<Response> = Values<Response>,
  Touched = unknown,
> {
  /** One sentence for the reference. */
  readonly summary: string;
  readonly request: Request;
  readonly response: Response;
  /** Fields of a typical request, for the reference. */
  readonly example?: NoInfer<Values<Request>>;
  /**
   * The most bytes of a body from a trusted caller, where that is more than 64 KiB. Bodies are read before the request is known, so other
   * callers may not fill the memory.
   */
  readonly body?: number;
  /**
   * Whether only identified systems, and those of `request_settings`, may call it (docs/concepts/callers-and-sources.md#service-demands),
   * because it discloses facts about users or uses up their resources.
   */
  readonly isForSystems?: true;
  /** Runs the operation. Refused logins and challenges are answers; errors become answers by {@link refuse}. */
  run(request: Values<Request>, call: Touched): Promise<Answer>;
  /** Turns an error into an answer, in the words of the service. */
  refuse(error: unknown): Answer;
}

/** A row without its particular types. */
export type AnyOperation<Touched = never> = Operation<Fields, Fields, Values<Fields>, Touched>;

/** Makes a row, and infers the types of `run` from its fields. */
export function operation<
  const Request extends Fields,
  const Response extends Fields,
  Answer extends Values<Response>,
  Touched,
>(row: Operation<Request, Response, Answer, Touched>): Operation<Request, Response, Answer, Touched> {
  return row;
}

/** The operations of a service as functions, named without the service's word. */
export type Operations<Table, Service extends string> = {
  readonly [Name in keyof Table as Name extends `${Service}${infer Rest}`
    ? FunctionName<Rest>
    : never]: Table[Name] extends Operation<infer Request, infer _Response, infer Answer, infer _Touched>
    ? (request?: keyof Request extends never ? NoFields : Values<Request>) => Promise<Answer>
    : never;
};

/** An object without fields; the type `{}` would accept any object. */
type NoFields = Readonly<Record<string, never>>;

/** The function name of an operation: `NormalLogin` → `normalLogin`, `PKILogin` → `pkiLogin`. */
type FunctionName<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${Lowercase<First>}${Abbreviation<Rest>}`
  : Name;

/** The rest of a name, lowered as long as capitals follow one another. */
type Abbreviation<Name extends string> = Name extends `${infer First}${infer Second}${infer Rest}`
  ? Lowercase<First> extends First
    ? Name
    : Lowercase<Second> extends Second
      ? Name
      : `${Lowercase<First>}${Abbreviation<`${Second}${Rest}`>}`
  : Name;
