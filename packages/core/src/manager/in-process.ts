/** The Manager without a server: every method as a function, for programs that embed the core. */

import type { Bundled } from '../applications.ts';
import type { Applications } from '../table/application.ts';
import type { coreMethods, ManagerCalls } from './methods.ts';

/** A login in process. What the administrator may do is looked up when it begins: log in again to look anew. */
export interface ManagerLogin<A extends Applications = Bundled> {
  readonly manager: ManagerCalls<A>;
  /** The administrator's DN. */
  readonly administrator: string;
  /** Gives the directory connection back. */
  close(): Promise<void>;
}

/** Runs a method by its name in our words. */
type Invoke = (name: string, params: unknown) => Promise<unknown>;

/** Methods as functions: those of the core, and those of an application under its name. */
export function callsOf<A extends Applications>(
  core: typeof coreMethods,
  applications: A,
  invoke: Invoke,
): ManagerCalls<A> {
  const functions = (methods: object, prefix: string) =>
    Object.fromEntries(
      Object.keys(methods).map((name) => [name, (params?: unknown) => invoke(prefix + name, params)]),
    );
  const exported = Object.values(applications).map(({ name, methods }) => [
    name,
    functions(methods, `${name}.`),
  ]);
  // The table gives the names here and the types there; that they are the same table is what the cast says.
  return { ...functions(core, ''), ...Object.fromEntries(exported) } as ManagerCalls<A>;
}
