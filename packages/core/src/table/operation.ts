/**
 * A row of the operation table: one operation of a web service. Its name is the key that it stands under, and
 * nowhere else. Dispatch, REST, SOAP, the WSDL, the reference and the client's types are functions of the rows.
 */
import type { Field } from './field.ts';

/** Fields in order, which is that of the WSDL. */
export type Fields = Readonly<Record<string, Field<unknown>>>;

/** What stands in the fields; one that is not there is undefined. */
export type Values<F extends Fields> = {
  readonly [K in keyof F]?: (F[K] extends Field<infer T> ? T : never) | undefined;
};

/**
 * @typeParam Answer says more than the fields do where it can: which of them stand together
 * @typeParam Touched what `run` touches beside its fields: it is handed no more than it names
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
   * Longest body of a request in bytes, where a trusted caller may send more than 64 KiB: it is read before it is known what is
   * asked, and nobody else fills the memory with so much.
   */
  readonly body?: number;
  /**
   * Only systems that have shown who they are may ask (docs/concepts/callers-and-sources.md#service-demands), whatever the service demands:
   * it tells of users or uses up what is theirs. So may those of `request_settings`.
   */
  readonly isForSystems?: true;
  /** A wrong password and a waiting session are answers; what is thrown is written by {@link refuse}. */
  run(request: Values<Request>, call: Touched): Promise<Answer>;
  /** What callers are told of an error, in the words of the service. */
  refuse(error: unknown): Answer;
}

/** A row with its particular types forgotten, as whoever hands it `Touched` sees it. */
export type AnyOperation<Touched = never> = Operation<Fields, Fields, Values<Fields>, Touched>;

/** Makes a row; the types of what `run` gets and gives follow from its fields. */
export function operation<
  const Request extends Fields,
  const Response extends Fields,
  Answer extends Values<Response>,
  Touched,
>(row: Operation<Request, Response, Answer, Touched>): Operation<Request, Response, Answer, Touched> {
  return row;
}

/** The operations of one service as functions, under their names without the service's word. */
export type Operations<Table, Service extends string> = {
  readonly [Name in keyof Table as Name extends `${Service}${infer Rest}`
    ? FunctionName<Rest>
    : never]: Table[Name] extends Operation<infer Request, infer _Response, infer Answer, infer _Touched>
    ? (request?: keyof Request extends never ? NoFields : Values<Request>) => Promise<Answer>
    : never;
};

/** `{}` as a type would take every object. */
type NoFields = Readonly<Record<string, never>>;

/** `NormalLogin` → `normalLogin`, `PKILogin` → `pkiLogin`. */
type FunctionName<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${Lowercase<First>}${Abbreviation<Rest>}`
  : Name;

/** The rest of a name: small as long as capitals follow one another. */
type Abbreviation<Name extends string> = Name extends `${infer First}${infer Second}${infer Rest}`
  ? Lowercase<First> extends First
    ? Name
    : Lowercase<Second> extends Second
      ? Name
      : `${Lowercase<First>}${Abbreviation<`${Second}${Rest}`>}`
  : Name;
