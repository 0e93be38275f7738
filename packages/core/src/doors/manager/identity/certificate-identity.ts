/**
 * Authentication mode PKI: the certificate identifies the administrator, and the password proves it. The certificate is verified at each
 * request of a session, as it may have been revoked.
 */

import { hash } from 'node:crypto';
import { verifyOwnCertificate } from '../../../administration/pki/own-certificate.ts';
import { entryIdentifier } from '../../../directory/entry/identifier.ts';
import { decoyUser } from '../../../directory/entry/user.ts';
import type { EntryView } from '../../../directory/view.ts';
import { isReason } from '../../../foundation/errors/errors.ts';
import type { PeerCertificate } from '../../../foundation/http/http.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import type { Log } from '../../../ports/log/log.ts';
import type { EntryOwner } from '../../../ports/store/certificate-records.ts';
import type { KeptSession } from '../session/session-record.ts';
import type { AdministratorDoor } from './door.ts';
import type { AdministratorCertificateView, Identities, Identity, IdentityView } from './identities.ts';

/** The same at a request of a session. */
export interface SessionCertificateView extends AdministratorCertificateView {
  readonly door: Pick<AdministratorDoor, 'auth'>;
  readonly log: Pick<Log, 'info'>;
}

/** @param logins read a login name that comes with the certificate */
export function byCertificate(view: IdentityView, logins: Identities): Identities {
  return {
    find: async ({ username, password, certificate }) => {
      const named = await identify(certificate, view);
      if (typeof named === 'string') return named;
      if (username === '' || Dn.tryParse(username)?.equals(named.user)) return named;
      const user = await logins.find({ username, password });
      if (typeof user !== 'string' && user.user.equals(named.user)) return named;
      return unfit('came with the login name of somebody else');
    },
    // Counted by certificate: who shows a forged one cannot shut out the administrator whose name is in it.
    decoy: ({ certificate }) => decoyUser(view.domains.preset.base, hash('sha256', certificate?.pem ?? '')),
    stillAdmits: async () => true, // the certificate does, or does not
  };
}

/** Finds the administrator whom a certificate names, or the reason why it names none; the caller does not see the reason. */
async function identify(
  shown: PeerCertificate | undefined,
  view: AdministratorCertificateView,
): Promise<Identity | string> {
  if (!shown) return 'no certificate';
  if (!shown.authorized) return unfit('was not authorised by TLS');
  const judged = await verifyOwnCertificate(shown.pem, view);
  if (!judged.good) return unfit(judged.why);
  const { certificate } = judged;
  if (certificate.kind !== 'ADMIN') return unfit(`is for ${certificate.kind}, not for ADMIN`);
  const user = await namedEntry(certificate, view);
  return user ? { user, fingerprint: certificate.fingerprint } : unfit('is of an entry that has gone');
}

const unfit = (why: string): string => `the certificate ${why}`;

/** Reads the entry of a name. A deleted entry that was created again is another user. */
async function namedEntry(
  { name, entry }: Pick<EntryOwner, 'entry'> & { readonly name: string },
  view: Omit<EntryView, 'config'>,
): Promise<Dn | undefined> {
  const user = Dn.tryParse(name);
  if (!user) return undefined;
  try {
    const now = await entryIdentifier(user, view);
    return now === entry ? user : undefined;
  } catch (error) {
    if (isReason(error, 'not_found')) return undefined;
    throw error;
  }
}

type Standing = 'same' | 'another' | 'over';

/**
 * Compares a request's certificate with that of its session: `same`; `another`, to which the session is closed; or `over`, the same and
 * no longer valid, which ends the session.
 */
export async function judgeAgain(
  session: Pick<KeptSession, 'fingerprint' | 'dn'>,
  shown: PeerCertificate | undefined,
  view: SessionCertificateView,
): Promise<Standing> {
  const { fingerprint } = session;
  if (fingerprint === undefined) return view.door.auth === 'PKI' ? 'another' : 'same';
  return shown ? judgeCertificate(session, shown, view) : 'another';
}

async function judgeCertificate(
  { dn, fingerprint }: Pick<KeptSession, 'dn' | 'fingerprint'>,
  shown: PeerCertificate,
  view: SessionCertificateView,
): Promise<Standing> {
  const recognised = await view.authority.recognise(shown.pem);
  if (recognised?.fingerprint !== fingerprint) return 'another';
  const named = await identify(shown, view);
  if (typeof named !== 'string') return named.user.equals(Dn.parse(dn)) ? 'same' : 'over';
  view.log.info('a session has ended', { user: dn, reason: named });
  return 'over';
}
