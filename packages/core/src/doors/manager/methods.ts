/**
 * The method table: every Manager method, in the order of the interface. A method of an application is stored under its bare name and
 * called as `Application.Name`.
 */

import { accessMethods } from '../../administration/access/methods.ts';
import { badgingMethods } from '../../administration/badging/methods.ts';
import { configurationMethods } from '../../administration/configuration/methods.ts';
import { mirrorMethods } from '../../administration/directory-sync/methods.ts';
import { inventoryMethods } from '../../administration/inventory/methods.ts';
import { certificateMethods } from '../../administration/pki/methods.ts';
import { policyMethods } from '../../administration/policy/methods.ts';
import { statusMethods } from '../../administration/status/methods.ts';
import { utilityMethods } from '../../administration/utility/methods.ts';
import type { Call, ServedApplications } from '../../applications/context/call.ts';
import type { Bundled } from '../../applications/index.ts';
import { browseMethods } from '../../directory/browse/methods.ts';
import { attributeMethods, objectMethods, settingMethods, userMethods } from '../../directory/methods.ts';
import { StartError } from '../../foundation/errors/start-error.ts';
import { messageMethods } from '../../messaging/methods.ts';
import type { Applications } from '../../table/application.ts';
import type { Names } from '../../table/dialect.ts';
import { type AnyMethod, type Calls, entryNames, type NamedRow } from '../../table/method.ts';
import type { SettingsOf } from '../../table/setting-row.ts';
import { sessionMethods } from './session/methods.ts';

export const coreMethods = {
  ...objectMethods,
  ...attributeMethods,
  ...userMethods,
  ...settingMethods,
  ...browseMethods,
  ...accessMethods,
  ...sessionMethods,
  ...statusMethods,
  ...configurationMethods,
  ...policyMethods,
  ...utilityMethods,
  ...certificateMethods,
  ...inventoryMethods,
  ...mirrorMethods,
  ...badgingMethods,
  ...messageMethods,
} as const;

/** Every method as a function: `Get_User_DN(…)`, `Otp.HOTP_Register(…)`. */
export type ManagerCalls<A extends Applications = Bundled> = Calls<typeof coreMethods, SettingsOf<A>> & {
  readonly [Name in keyof A]: Calls<A[Name]['methods']>;
};

/** A method and what it is called in this installation. */
export interface NamedMethod extends NamedRow {
  readonly method: AnyMethod<Call>;
  /** A dry run runs it. */
  readonly supportsDryRun: boolean;
}

/** Finds methods by name: in our words or the installation's, without regard to case. */
export class MethodTable {
  readonly all: readonly NamedMethod[];
  readonly #byName = new Map<string, NamedMethod>();

  constructor(applications: ServedApplications, names: Names) {
    const own = Object.entries<AnyMethod<Call>>(coreMethods).map(([name, method]) =>
      this.#enter({ method, supportsDryRun: true }, [name]),
    );
    const exported = Object.values(applications).flatMap((application) =>
      Object.entries(application.methods).map(([name, method]) =>
        this.#enter({ method, supportsDryRun: application.supportsDryRun ?? false }, [
          `${names.theirs(application.name)}.${name}`,
          `${application.name}.${name}`,
        ]),
      ),
    );
    this.all = [...own, ...exported];
  }

  find(name: string): NamedMethod | undefined {
    return this.#byName.get(name.toLowerCase());
  }

  /** Enters a method under its names; the first one is published. */
  #enter(
    row: Pick<NamedMethod, 'method' | 'supportsDryRun'>,
    [name, ...aliases]: readonly [string, ...string[]],
  ): NamedMethod {
    assertSubject(name, row.method);
    const named = { ...row, name, ours: aliases.at(-1) ?? name };
    for (const spelling of [name, ...aliases]) this.#byName.set(spelling.toLowerCase(), named);
    return named;
  }
}

/** Types say the same of rows that `method()` made. @throws StartError on a row that does not say which entry it is about */
function assertSubject(name: string, { on, params }: AnyMethod): void {
  const isTold = typeof on === 'string' || Array.isArray(on);
  const naming = Object.keys(params).filter((one) => params[one]?.entry !== undefined);
  const isKnown = isTold && entryNames({ on }).every((one) => naming.includes(one));
  if (isKnown && (on === 'nothing') === (naming.length === 0)) return;
  throw new StartError(
    `The row of the method ${name} has to say in 'on' which of its parameters names the entry that it is about.`,
  );
}
