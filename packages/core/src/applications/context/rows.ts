/** Row types for applications that do not declare their context: they may use every part of a call. */
import type { Method, Params, SubjectOf } from '../../table/method.ts';
import type { Fields, Operation, Values } from '../../table/operation.ts';
import type { Page as AnyPage } from '../../table/page.ts';
import type { Call, OperationCall, RowView } from './call.ts';

/** Makes a row of the method table; the types of what `run` gets and gives follow from the vocabulary. */
export function method<const P extends Params, Value, Wire, Touched = Call>(
  row: Method<P, Value, Wire, Touched> & { readonly on: NoInfer<SubjectOf<P>> },
): Method<P, Value, Wire, Touched> {
  return row;
}

/** Makes a row of the operation table; the types of what `run` gets and gives follow from its fields. */
export function operation<
  const Request extends Fields,
  const Response extends Fields,
  Answer extends Values<Response>,
  Touched = OperationCall,
>(row: Operation<Request, Response, Answer, Touched>): Operation<Request, Response, Answer, Touched> {
  return row;
}

/** A page. Its errors are answered as those of a REST call. */
export type Page<Touched = RowView> = AnyPage<Touched>;
