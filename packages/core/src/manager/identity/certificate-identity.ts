/**
 * Mode PKI: the certificate names the administrator, the password proves that it is the administrator who shows it
 * (specification §5.1, §2.8). The certificate is judged at each request, of a session too: it may have been revoked.
 */
import { hash } from 'node:crypto';
import type { Core } from '../../core.ts';
import { decoyUser } from '../../directory/entry/user.ts';
import { isReason } from '../../errors/errors.ts';
import type { PeerCertificate } from '../../http/http.ts';
import { judgeOwnCertificate } from '../../pki/own-certificate.ts';
import { entryIdentifier } from '../../pki/owner.ts';
import type { EntryHolder } from '../../ports/certificate-records.ts';
import { Dn } from '../../text/dn.ts';
import type { Kept } from '../session/session-record.ts';
import type { Identities, Identity } from './identity.ts';

/** @param logins read a login name that comes with the certificate */
export function byCertificate(core: Core, logins: Identities): Identities {
  return {
    find: async ({ username, password, certificate }) => {
      const named = await identify(certificate, core);
      if (typeof named === 'string') return named;
      if (username === '' || Dn.tryParse(username)?.equals(named.user)) return named;
      const user = await logins.find({ username, password });
      if (typeof user !== 'string' && user.user.equals(named.user)) return named;
      return unfit('came with the login name of somebody else');
    },
    // Counted by certificate: who shows a forged one cannot shut out the administrator whose name is in it.
    decoy: ({ certificate }) => decoyUser(core.domains.preset.base, hash('sha256', certificate?.pem ?? '')),
    isSomebody: async () => true, // the certificate's entry has been read
    stillAdmits: async () => true, // the certificate does, or does not
  };
}

/** The administrator that a certificate names, or why it names none: whoever showed it is told nothing of that. */
async function identify(shown: PeerCertificate | undefined, core: Core): Promise<Identity | string> {
  if (!shown) return 'no certificate';
  if (!shown.authorized) return unfit('was not authorised by TLS');
  const judged = await judgeOwnCertificate(shown.pem, core);
  if (!judged.good) return unfit(judged.why);
  const { certificate } = judged;
  if (certificate.kind !== 'ADMIN') return unfit(`is for ${certificate.kind}, not for ADMIN`);
  const user = await namedEntry(certificate, core);
  return user ? { user, fingerprint: certificate.fingerprint } : unfit('is of an entry that has gone');
}

const unfit = (why: string): string => `the certificate ${why}`;

/** An entry that was deleted and made anew under the same name is somebody else. */
async function namedEntry(
  { name, entry }: Pick<EntryHolder, 'entry'> & { readonly name: string },
  core: Core,
): Promise<Dn | undefined> {
  const user = Dn.tryParse(name);
  if (!user) return undefined;
  try {
    const now = await entryIdentifier(user, core);
    return now === entry ? user : undefined;
  } catch (error) {
    if (isReason(error, 'not_found')) return undefined;
    throw error;
  }
}

/**
 * How a request's certificate stands to the session that it came with: `same`; `another`, which the session is not
 * open to; or `over`, the same and no good any more, which ends the session.
 */
export async function judgeAgain(
  { fingerprint, dn }: Pick<Kept, 'fingerprint' | 'dn'>,
  shown: PeerCertificate | undefined,
  core: Core,
): Promise<'same' | 'another' | 'over'> {
  if (fingerprint === undefined) return core.config.manager_auth === 'PKI' ? 'another' : 'same';
  if (!shown || core.authority.recognise(shown.pem)?.fingerprint !== fingerprint) return 'another';
  const named = await identify(shown, core);
  if (typeof named !== 'string') return named.user.equals(Dn.parse(dn)) ? 'same' : 'over';
  core.log.info('a session is over', { user: dn, reason: named });
  return 'over';
}
