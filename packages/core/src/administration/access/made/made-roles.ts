/**
 * Roles that super administrators make at run time. All of them are one value in the store, so that one read tells whether any has
 * changed, on every node and at every request.
 */
import type { RoleConfig } from '../../../config/config.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import type { Log } from '../../../ports/log/log.ts';
import { endlessSeconds, type Store } from '../../../ports/store/store.ts';

export interface MadeRole {
  readonly name: string;
  readonly row: RoleConfig;
}

const key = 'made-roles:all';
/** Each is looked at whenever somebody who is no super administrator asks for something. */
const mostRoles = 100;
const mostBytes = 262_144;

interface Known {
  readonly value: Uint8Array;
  readonly roles: readonly MadeRole[];
}

interface MadeRolePorts {
  readonly store: Pick<Store, 'get' | 'update'>;
  readonly log: Pick<Log, 'error'>;
}

/** The validation of roles, as of a configuration. */
interface Judgement {
  /** @throws StartError */
  read(name: string, row: unknown): RoleConfig;
  /** Reads a stored role, which was validated when it was made; undefined: it is no longer usable. */
  readKept(row: unknown): RoleConfig | undefined;
}

export class MadeRoles {
  readonly #store: Pick<Store, 'get' | 'update'>;
  readonly #log: Pick<Log, 'error'>;
  readonly #judgement: Judgement;
  #known: Known = { value: new Uint8Array(), roles: [] };

  constructor({ store, log }: MadeRolePorts, judgement: Judgement) {
    this.#store = store;
    this.#log = log;
    this.#judgement = judgement;
  }

  /** Returns the role as it would be stored. @throws StartError with the fault, as in a configuration */
  judge(name: string, row: unknown): RoleConfig {
    return this.#judgement.read(name, row);
  }

  /** The same array as before where nothing has changed. @throws ServiceError `unavailable` */
  async read(): Promise<readonly MadeRole[]> {
    const value = (await this.#store.get(key)) ?? new Uint8Array();
    if (Buffer.compare(value, this.#known.value) !== 0) this.#known = { value, roles: this.#rolesIn(value) };
    return this.#known.roles;
  }

  /** Stores a role in place of one with the same name, regardless of case. @throws ServiceError `too_large`, `unavailable` */
  async set(role: MadeRole): Promise<void> {
    const isKept = await this.#store.update(key, (before) => {
      const value = valueOf([...othersIn(before, role.name), { name: role.name, ...role.row }]);
      if (!value) return { result: false };
      return { result: true, after: { value, seconds: endlessSeconds } };
    });
    if (!isKept)
      throw new ServiceError('too_large', { detail: `there may be ${mostRoles} roles of 2 kB each` });
  }

  /** @returns false if there is none of this name. @throws ServiceError `unavailable` */
  remove(name: string): Promise<boolean> {
    return this.#store.update(key, (before) => {
      const others = othersIn(before, name);
      const value = valueOf(others);
      if (!value || others.length === rowsIn(before).length) return { result: false };
      return { result: true, after: { value, seconds: endlessSeconds } };
    });
  }

  /** Reads the roles of a value. An unusable role grants nothing, and locks out no caller that does not need it. */
  #rolesIn(value: Uint8Array): readonly MadeRole[] {
    return rowsIn(value).flatMap(({ name, ...rest }) => {
      const row = this.#judgement.readKept(rest);
      if (row) return [{ name, row }];
      this.#log.error('a role that was made here cannot be used', { role: name });
      return [];
    });
  }
}

interface Row {
  readonly name: string;
  readonly [setting: string]: unknown;
}

/** None in what is no list of them. */
function rowsIn(value: Uint8Array | undefined): readonly Row[] {
  try {
    const rows: unknown = JSON.parse(Buffer.from(value ?? []).toString('utf8') || '[]');
    return Array.isArray(rows) ? rows.filter(isRow) : [];
  } catch {
    return [];
  }
}

const isRow = (row: unknown): row is Row =>
  typeof row === 'object' && row !== null && 'name' in row && typeof row.name === 'string';

const othersIn = (value: Uint8Array | undefined, name: string): readonly Row[] =>
  rowsIn(value).filter((row) => row.name.toLowerCase() !== name.toLowerCase());

/** Undefined: that is too much. */
function valueOf(rows: readonly Row[]): Uint8Array | undefined {
  const value = Buffer.from(JSON.stringify(rows), 'utf8');
  return rows.length <= mostRoles && value.length <= mostBytes ? value : undefined;
}
