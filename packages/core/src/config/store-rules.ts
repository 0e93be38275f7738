/** Rules for a state that several machines share: nothing may be on one machine only. */
import { type DirectoriesSettings, namedDirectories } from './directory-rules.ts';
import type { ConfigProblem } from './problems.ts';

export interface SharedSettings extends DirectoriesSettings {
  readonly store: { readonly type: 'embedded' } | PostgresSettings;
  readonly ca: { readonly certificate?: string | undefined };
}

interface PostgresSettings {
  readonly type: 'postgres';
  readonly password?: string | undefined;
  readonly password_file?: string | undefined;
}

export function storeRules(config: SharedSettings): ConfigProblem[] {
  const { store, ca } = config;
  if (store.type === 'embedded') return [];
  const ownDirectories = namedDirectories(config)
    .filter(({ directory }) => directory.type === 'embedded')
    .map(({ path }) => ({
      path: [...path, 'type'],
      message: 'is embedded, in the folder of one machine, and store is shared by many',
      cure: 'move the entries to an LDAP server (export-ldif), or leave store out',
    }));
  const ownAuthority = {
    path: ['ca', 'certificate'],
    message: 'is missing, and every machine would make an authority of its own',
    cure: 'name the certificate and the key of one authority, the same on all machines',
  };
  return [...password(store), ...ownDirectories, ...(ca.certificate === undefined ? [ownAuthority] : [])];
}

function password({ password, password_file }: PostgresSettings): ConfigProblem[] {
  const path = ['store', 'password_file'];
  if (password !== undefined && password_file !== undefined)
    return [{ path, message: 'stands beside password', cure: 'keep one of the two' }];
  if (password !== undefined || password_file !== undefined) return [];
  return [{ path, message: 'is missing', cure: 'name a file with the password of user' }];
}
