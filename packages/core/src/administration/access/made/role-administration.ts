/** List_Roles, Set_Role, Remove_Role: who administers what, and what of it can change at run time. */
import type { RoleConfig, ServiceConfig } from '../../../config/config.ts';
import { sameName } from '../../../config/references.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import { StartError } from '../../../foundation/errors/start-error.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import type { Directory } from '../../../ports/directory/directory.ts';
import type { EffectiveRights } from '../effective-rights.ts';
import { denied } from '../permission-check.ts';
import { assertSuperAdmin } from '../super-admin.ts';
import type { MadeRoles } from './made-roles.ts';

export interface ListedRole extends RoleConfig {
  readonly name: string;
  readonly source: 'configuration' | 'portal';
  /** The path in the configuration; null: made in the portal. */
  readonly at: string | null;
}

export interface RoleView {
  readonly config: Pick<ServiceConfig, 'roles'>;
  readonly rights: Pick<EffectiveRights, 'isSuperAdmin' | 'isFree'>;
  readonly madeRoles: Pick<MadeRoles, 'judge' | 'read' | 'set' | 'remove'>;
}

export interface RoleMakingView extends RoleView {
  readonly directory: Directory;
}

/** A role as somebody writes it. */
export type RoleDraft = {
  readonly [Setting in Exclude<keyof RoleConfig, 'tenant'>]?: readonly string[] | undefined;
} & Pick<RoleConfig, 'tenant'>;

/** @throws ServiceError `permission_denied` */
export async function listRoles(call: RoleView): Promise<readonly ListedRole[]> {
  assertSuperAdmin(call, 'see what others may do');
  const configured = Object.entries(call.config.roles).map(
    ([name, row]) => ({ name, source: 'configuration', at: `roles.${name}`, ...row }) as const,
  );
  const made = (await call.madeRoles.read()).map(
    ({ name, row }) => ({ name, source: 'portal', at: null, ...row }) as const,
  );
  return [...configured, ...made];
}

/** @throws ServiceError `permission_denied`; `invalid_params` with what is wrong with it; `too_large` */
export async function setRole(name: string, row: RoleDraft, call: RoleMakingView): Promise<void> {
  assertMakesRoles(call);
  assertNotConfigured(name, call);
  const read = judged(name, row, call);
  await assertThere('members', read.members, call.directory);
  await assertThere('subtrees', read.subtrees, call.directory);
  await call.madeRoles.set({ name, row: read });
}

/** @returns false if there is none. @throws ServiceError `permission_denied` */
export async function removeRole(name: string, call: RoleView): Promise<boolean> {
  assertMakesRoles(call);
  const isRemoved = await call.madeRoles.remove(name);
  if (!isRemoved) assertNotConfigured(name, call);
  return isRemoved;
}

/** Whom an option set restricts might give others what it may not do itself. */
function assertMakesRoles(call: Pick<RoleView, 'rights'>): void {
  assertSuperAdmin(call, 'change what others may do');
  if (!call.rights.isFree) throw denied('an option set restricts you, and would not restrict a role');
}

/** Refuses a role of the configuration, which only the administrator of the files changes. */
function assertNotConfigured(name: string, { config }: Pick<RoleView, 'config'>): void {
  const configured = sameName(Object.keys(config.roles), name);
  if (configured === undefined) return;
  throw denied(`the role stands in the configuration, at roles.${configured}`);
}

function judged(name: string, row: RoleDraft, call: RoleMakingView): RoleConfig {
  try {
    return call.madeRoles.judge(name, row);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    throw new ServiceError('invalid_params', { detail: error.message });
  }
}

/** A misspelled name would grant nothing, and nobody would notice. */
async function assertThere(parameter: string, dns: readonly string[], directory: Directory): Promise<void> {
  for (const dn of dns) {
    if (!(await directory.read(Dn.parse(dn), ['1.1'])))
      throw new ServiceError('invalid_params', {
        detail: `Parameter ${parameter}: there is no object '${dn}'`,
      });
  }
}
