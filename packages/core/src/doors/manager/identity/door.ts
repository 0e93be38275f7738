/** The two doors of administrators, Manager and Admin Portal, and the checks that both share. */
import type { ManagerAuth, PortalAuth, RoleInterface, ServiceConfig } from '../../../config/config.ts';
import type { SessionLife } from '../session/session-life.ts';
import { portalFamily, sessionFamily } from '../session/session-record.ts';

export interface AdministratorDoor {
  /** Roles open it that name it among their interfaces. */
  readonly role: RoleInterface;
  /** The way in which administrators are named. */
  readonly auth: ManagerAuth;
  /** A session ends when its administrator is deactivated, where it was active when that began. */
  readonly watchesActivation: boolean;
  readonly sessions: SessionLife;
}

/** The door of the Manager: a session ends 10 s after its last request (docs/concepts/callers-and-sources.md#administrator-session). */
export const managerDoor = ({
  manager_auth,
  manager_session,
}: Pick<ServiceConfig, 'manager_auth' | 'manager_session'>): AdministratorDoor => ({
  role: 'Manager',
  auth: manager_auth,
  watchesActivation: false,
  sessions: {
    family: sessionFamily,
    isListed: false,
    longest: manager_session * 1000,
    idle: 10_000,
    bound: 10_000,
    touch: 1000,
  },
});

/** The longest session in milliseconds: an administrator signs in once a day. */
const longestDay = 8 * 3_600_000;

/** The directory puts up with a connection for each that is at work, and not for each that has gone to lunch. */
export const portalDoor = ({
  admin_auth,
  auth_mode,
  admin_session,
}: Pick<ServiceConfig, 'admin_auth' | 'auth_mode' | 'admin_session'>): AdministratorDoor => ({
  role: 'Portal',
  auth: isNaming(admin_auth) ? admin_auth : auth_mode === 'DN' ? 'DN' : 'UID',
  watchesActivation: true,
  sessions: {
    family: portalFamily,
    isListed: true,
    longest: longestDay,
    idle: admin_session * 1000,
    bound: 30_000,
    touch: 10_000,
  },
});

const isNaming = (mode: PortalAuth): mode is ManagerAuth => mode === 'UID' || mode === 'DN' || mode === 'PKI';
