/** Whose certificate it is, and what its subject has to say of that. */
import type { Manager } from '../../../api/manager.ts';
import type { Subject } from './certificate-request.ts';

export interface Holder {
  readonly kind: 'client' | 'user' | 'administrator';
  /** Of a client its name, of the others a DN. */
  readonly name: string;
}

/** What {@link subjectOf} asks. */
export const subjectMethods = ({ kind }: Holder): readonly string[] =>
  kind === 'user' ? ['Get_User_Domains', 'Get_User_IDs'] : [];

/** @throws CallError */
export async function subjectOf({ kind, name }: Holder, manager: Manager): Promise<Subject> {
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
