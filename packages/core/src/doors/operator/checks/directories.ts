/** Checks directories: whether they answer, accept the service's login, and have their base and the schema extension. */

import type { ServerConfig } from '../../../config/config.ts';
import { namedDirectories } from '../../../config/directory-rules.ts';
import { texts } from '../../../directory/entry/entry.ts';
import { detailOf, isReason, type ServiceError } from '../../../foundation/errors/errors.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import type { Capabilities, DirectoryServer } from '../../../ports/directory/directory.ts';
import { type Finding, found, lookOr, problem } from './finding.ts';

type Settings = ServerConfig['directory'];

interface NamedDirectory {
  /** `directory`, `directories.branch` */
  readonly name: string;
  readonly settings: Settings;
  readonly base: Dn;
}

export const directoriesOf = (config: ServerConfig): readonly NamedDirectory[] =>
  namedDirectories(config).map(({ path, directory }) => ({
    name: path.join('.'),
    settings: directory,
    base: Dn.parse(directory.base),
  }));

/** @param server all directories as one */
export function directoryFindings(
  directory: NamedDirectory,
  server: DirectoryServer,
): Promise<readonly Finding[]> {
  return lookOr(
    async () => {
      if (await server.service.read(directory.base, ['1.1'])) return [await describe(directory, server)];
      return [problem(await missingBase(directory, server))];
    },
    (error) => problem(unreachable(directory, error)),
  );
}

const vendors: Readonly<Record<Capabilities['vendor'], string>> = {
  openldap: 'OpenLDAP',
  'active-directory': 'Active Directory',
  embedded: 'the embedded directory',
  other: 'an LDAP directory',
};

async function describe({ name, base }: NamedDirectory, server: DirectoryServer): Promise<Finding> {
  const { vendor, accountSchema, service } = await server.capabilities(base);
  if (vendor === 'embedded') return found(`${name}: ${vendors[vendor]}, ${base}`);
  const schema = accountSchema
    ? 'schema present'
    : 'no schema, so everybody counts as active, and settings and data are kept in the data folder';
  return found(`${name}: ${vendors[vendor]}, ${base}, bound as ${service}, ${schema}`);
}

function unreachable({ name, settings }: NamedDirectory, error: ServiceError): string {
  if (settings.type === 'embedded') return `${name}: it cannot be read (${detailOf(error)})`;
  if (isReason(error.cause, 'credentials_refused'))
    return (
      `${name}.bind_dn: the directory refuses ${settings.bind_dn} its login; ` +
      `mend it, or the password in ${settings.bind_password_file ?? `${name}.bind_password`}`
    );
  const urls = settings.urls.join(', ');
  return `${name}.urls: ${urls} cannot be used (${detailOf(error)}); start the directory, or mend the setting`;
}

/** Names the bases that exist instead. Only the first directory is asked: entries below no base belong to it. */
async function missingBase(
  { name, base, settings }: NamedDirectory,
  server: DirectoryServer,
): Promise<string> {
  const names = ['defaultNamingContext', 'namingContexts'];
  const root = name === 'directory' ? await server.service.read(Dn.root, names) : undefined;
  const [context] = root ? names.flatMap((attribute) => texts(root, attribute)) : [];
  const bound = settings.type === 'ldap' ? `, or ${settings.bind_dn} may not read it` : '';
  return `${name}.base: there is no ${base}${bound}; write what is there${context ? `, as ${context}` : ''}`;
}
