/** Objects whose properties are web services and their operations, without a list of either. */
import type { CallOptions } from './options.ts';

/** An operation as the caller names it: `otp`, `normalLogin`. */
export interface OperationName {
  readonly service: string;
  readonly operation: string;
}

/** The function that an operation calls. */
type Invoke = (name: OperationName, request?: object, options?: CallOptions) => unknown;

/** Every service there may be, and in it every operation. */
export function withOperations(invoke: Invoke): object {
  return withMembers((service) =>
    withMembers(
      (operation) => (request?: object, options?: CallOptions) =>
        invoke({ service, operation }, request, options),
    ),
  );
}

function withMembers(make: (name: string) => object): object {
  return new Proxy({}, { get: (target, key) => (isWord(key) ? make(key) : Reflect.get(target, key)) });
}

/** Words begin in lower case. What JavaScript looks for of its own accord is none: a call must not come of that. */
const isWord = (key: string | symbol): key is string =>
  typeof key === 'string' && /^[a-z]/.test(key) && !(key in Object.prototype) && !sought.has(key);

/** Members that `await`, `JSON.stringify` and test runners look for. */
const sought: ReadonlySet<string> = new Set(['then', 'toJSON', 'asymmetricMatch', 'nodeType', 'tagName']);
