/** Owners of certificates, and the subjects that name them. */
import type { Manager } from '../../../api/manager.ts';
import type { Subject } from './certificate-request.ts';

export interface CertificateOwner {
  readonly kind: 'client' | 'user' | 'administrator';
  /** The name of a client, the DN of others. */
  readonly name: string;
}

/** Returns the methods that {@link subjectOf} calls. */
export const subjectMethods = ({ kind }: CertificateOwner): readonly string[] =>
  kind === 'user' ? ['Get_User_Domains', 'Get_User_IDs'] : [];

/** @throws CallError */
export async function subjectOf({ kind, name }: CertificateOwner, manager: Manager): Promise<Subject> {
  if (kind === 'client')
    return [
      ['CN', name],
      ['description', 'CLIENT'],
    ];
  if (kind === 'administrator')
    return [
      ['CN', name],
      ['description', 'ADMIN'],
    ];
  const [domains, logins] = await manager.batch((m) => [
    m.Get_User_Domains({ dn: name }),
    m.Get_User_IDs({ dn: name }),
  ]);
  const [domain = '', login = ''] = [domains[0], logins[0]];
  return [
    ['CN', `${domain}\\${login}`],
    ['UID', login],
    ['DC', domain],
    ['description', 'USER'],
  ];
}
