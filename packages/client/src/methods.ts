/** Objects whose properties are methods by their wire names, without a list of them. */
import type { PlannedCall } from './calls.ts';
import type { CallOptions } from './options.ts';

/** The function that a method calls. */
type Invoke = (call: PlannedCall<unknown>, options?: CallOptions) => unknown;

/** `own`, and beside it every method there may be; those of an application stand under its name. */
export function withMethods(own: object, invoke: Invoke): object {
  return new Proxy(own, { get: (target, key) => method(key, invoke) ?? Reflect.get(target, key) });
}

/** A method, and the application of that name in one: `Otp` may be called, and has `Otp.HOTP_Register`. */
function method(key: string | symbol, invoke: Invoke, application = ''): object | undefined {
  if (!isWireName(key)) return undefined;
  const name = application + key;
  return new Proxy(() => {}, {
    apply: (_target, _this, [params, options]) => invoke({ method: name, params }, options),
    get: (target, member) => method(member, invoke, `${name}.`) ?? Reflect.get(target, member),
  });
}

/**
 * Wire names begin with a capital. All that JavaScript looks for of its own accord does not: `then` when an
 * object is awaited, `toJSON`, `constructor`, symbols. A call must not come of that.
 */
const isWireName = (key: string | symbol): key is string => typeof key === 'string' && /^[A-Z]/.test(key);
