/** The Manager without a server: every method as a function, for programs that embed the core. */

import type { Bundled } from '../../applications/index.ts';
import type { Applications } from '../../table/application.ts';
import type { DryRunResult } from './dry-run/dry-run.ts';
import type { coreMethods, ManagerCalls } from './methods.ts';

/** A login in process. The administrator's rights are read at its beginning: log in again to read them again. */
export interface ManagerLogin<A extends Applications = Bundled> {
  readonly manager: ManagerCalls<A>;
  /** The same methods in a dry run, which answers what they would do. */
  readonly dryRun: DryRunCalls<ManagerCalls<A>>;
  /** The administrator's DN. */
  readonly administrator: string;
  /** Gives the directory connection back. */
  close(): Promise<void>;
}

/** The functions of a table, each as a dry run. */
export type DryRunCalls<Table> = {
  readonly [Name in keyof Table]: Table[Name] extends (...params: infer P) => Promise<unknown>
    ? (...params: P) => Promise<DryRunResult>
    : DryRunCalls<Table[Name]>;
};

/** Runs a method by its name in our words. */
type Invoke = (name: string, params: unknown) => Promise<unknown>;

/** Methods as functions: those of the core, and those of an application under its name. */
export function callsOf<A extends Applications>(
  core: typeof coreMethods,
  applications: A,
  invoke: Invoke,
): ManagerCalls<A> {
  // The table gives the names here and the types there; that they are the same table is what the cast says.
  return functionsOf(core, applications, invoke) as ManagerCalls<A>;
}

/** The same, where a call is a dry run. */
export function dryRunsOf<A extends Applications>(
  core: typeof coreMethods,
  applications: A,
  invoke: Invoke,
): DryRunCalls<ManagerCalls<A>> {
  return functionsOf(core, applications, invoke) as DryRunCalls<ManagerCalls<A>>;
}

function functionsOf(core: object, applications: Applications, invoke: Invoke): object {
  const functions = (methods: object, prefix: string) =>
    Object.fromEntries(
      Object.keys(methods).map((name) => [name, (params?: unknown) => invoke(prefix + name, params)]),
    );
  const exported = Object.values(applications).map(({ name, methods }) => [
    name,
    functions(methods, `${name}.`),
  ]);
  return { ...functions(core, ''), ...Object.fromEntries(exported) };
}
