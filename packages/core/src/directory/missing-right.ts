/** Missing rights in a directory, in words for the operator, with the cure. */
import type { Dn } from '../foundation/text/dn.ts';
import type { DirectoryServer } from '../ports/directory/directory.ts';
import type { Domains } from './domain.ts';

export interface MissingRightView {
  readonly server: Pick<DirectoryServer, 'capabilities'>;
  readonly domains: Pick<Domains, 'containing'>;
}

/** The right of the service to set a password. */
export const settingPasswords = 'the right to set passwords';

/**
 * Returns the fields of a log line.
 * @param missing.right as in `give … to`: `write access to webadmData`
 * @param missing.whose the service if left out
 */
export async function missingRight(
  dn: Dn,
  { right, whose }: { readonly right: string; readonly whose?: string },
  { server, domains }: MissingRightView,
) {
  const { service } = await server.capabilities(dn);
  const base = domains.containing(dn)[0]?.base ?? dn;
  return {
    ...{ dn: dn.format(), bind_dn: service.toString() },
    cure: `give ${whose ?? service} ${right} below ${base}; see docs/guide/directories.md`,
  };
}
