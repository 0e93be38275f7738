/** The web services without a server: every operation as a function, for programs that embed the core. */
import type { Applications } from '../../table/application.ts';
import type { Fields, Values } from '../../table/operation.ts';
import type { NamedOperation, OperationTable, WebCalls, WebService } from './operations.ts';

/** Runs an operation and gives what its row answers. */
export type Invoke = (named: NamedOperation, request: Values<Fields>) => Promise<Values<Fields>>;

/** Makes the calls in process, under our names: `calls.otp.normalLogin({…})`. */
export function callsOf<A extends Applications>({ services }: OperationTable, invoke: Invoke): WebCalls<A> {
  const calls = services.map((service) => [service.application.service, functionsOf(service, invoke)]);
  // The table gives the names here and the types there; that they are the same table is what the cast says.
  return Object.fromEntries(calls) as WebCalls<A>;
}

function functionsOf({ application: { service }, operations }: WebService, invoke: Invoke) {
  return Object.fromEntries(
    operations.map((named) => {
      return [
        functionName(named.ours.slice(service.length)),
        (request: Values<Fields> = {}) => invoke(named, request),
      ];
    }),
  );
}

/** Returns the name of a function, as the type `FunctionName` does: an abbreviation at its front is in small letters. */
export const functionName = (name: string): string =>
  name.replace(/^[A-Z]+(?=[A-Z][a-z])|^[A-Z]/, (capitals) => capitals.toLowerCase());
