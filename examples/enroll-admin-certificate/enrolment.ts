/** A certificate for the administrator that asks for it, as PKI mode of the Manager wants one. */
import type { Manager } from '@watchword/client';
import { type Enrolled, enroll, type Place } from '../enroll-user-certificate/enrolment.ts';

/** The subject is the administrator's DN. Only super administrators have one signed. */
export async function enrollAdministrator(manager: Manager, place: Place): Promise<Enrolled> {
  const { dn } = await manager.Who_Am_I();
  return enroll(manager, { dn, subject: { CN: dn, description: 'ADMIN' } }, place);
}
