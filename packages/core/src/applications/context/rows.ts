/** Row types for applications that do not declare their context: they may use every part of a call. */
import type { Method, Params, SubjectOf } from '../../table/method.ts';
import type { Fields, Operation, Values } from '../../table/operation.ts';
import type { Page as AnyPage } from '../../table/page.ts';
import type { Call, OperationCall, RowView } from './call.ts';

/**
 * Makes a row of the method table: one method of the Manager.
 * @param row the parameters, the result, the permission, and `run`, whose types follow from them
 * @returns the same row
 * @see docs/concepts/policies-and-settings.md#administrative-role
 * @example
 * ```ts
 * import { dn, method, readProfile, stringOrFalse } from '@watchword/core/application';
 *
 * export const getPlate = method({
 *   summary: 'Reads the number plate of a user; false if there is none.',
 *   on: 'dn',
 *   params: { dn: dn() },
 *   result: stringOrFalse(),
 *   permission: 'read',
 *   run: async ({ dn }, call) => {
 *     const plate = (await readProfile(dn, call)).data.get('Parking.Plate');
 *     return plate ? Buffer.from(plate).toString() : false;
 *   },
 * });
 * ```
 */
export function method<const P extends Params, Value, Wire, Touched = Call>(
  row: Method<P, Value, Wire, Touched> & { readonly on: NoInfer<SubjectOf<P>> },
): Method<P, Value, Wire, Touched> {
  return row;
}

/**
 * Makes a row of the operation table: one operation of a web service.
 * @param row the fields of request and answer, and `run` and `refuse`, whose types follow from them
 * @returns the same row
 * @see docs/concepts/callers-and-sources.md#service-demands
 * @example
 * ```ts
 * import { integerField, operation, readNamedProfile, textField } from '@watchword/core/application';
 *
 * export const parkingAdmit = operation({
 *   summary: 'Says whether the barrier may open for a user.',
 *   request: { username: textField, domain: textField },
 *   response: { code: integerField },
 *   run: async ({ username = '', domain }, call) => {
 *     const { data } = await readNamedProfile({ username, domain }, call);
 *     return { code: data.get('Parking.Plate') ? 1 : 0 };
 *   },
 *   refuse: () => ({ code: 0 }),
 * });
 * ```
 */
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
