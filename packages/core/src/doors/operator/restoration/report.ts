/** The report of the command `restored` after a restore from a copy: what was invalidated, which users to inform, and what cannot be known. */
import { formatTimestamp } from '../../../foundation/text/timestamp.ts';
import type { Done, Plan } from './restore.ts';

/** Writes the report of a restore, or of its dry run. */
export function reportOf(plan: Plan, done: Done): string {
  const { path, taken, writes } = plan;
  const head = writes
    ? `Credentials that may have been used since ${utc(taken)} have been invalidated in ${path}.`
    : `${path} is of ${utc(taken)}. Credentials that may have been used since would be invalidated; nothing was written.`;
  return [
    head,
    section('Invalidated', closedLines(plan, done)),
    section('Inform the users', tellLines(plan, done)),
    section('Not known here: check these, or do them again', unknownLines(plan, done)),
  ].join('\n\n');
}

const utc = (moment: number): string => `${formatTimestamp(moment)} UTC`;
const section = (title: string, lines: readonly string[]): string =>
  [`${title}:`, ...lines.map((line) => `  - ${line}`)].join('\n');

function closedLines({ uses, revocationList: list }: Plan, done: Done): readonly string[] {
  const { tokens, lists, emergencies, users } = done;
  return [
    `Codes of TOTP tokens: refused for all users until ${utc(done.totpFrom)}.`,
    `HOTP tokens: ${tokens}, raised by ${uses + 1} counters or more, as up to ${uses} codes of each may have been used.`,
    `Printed lists: ${lists} removed. Emergency passwords: ${emergencies} removed.`,
    `Logins that waited for a code: ${done.challenges} ended. Sessions of administrators: ${done.sessions} ended.`,
    list === undefined
      ? 'Revocations: none; no revocation list (CRL) was given (--crl).'
      : `Revocations: ${done.revocations} that were not known, from the revocation list ${list.path}, signed on ${utc(list.signed)}.`,
    `Users concerned: ${users}. The event log names them and what was invalidated.`,
  ];
}

function tellLines({ uses }: Plan, { totpFrom, tokens, lists, emergencies }: Done): readonly string[] {
  return [
    `Users with an authenticator app or a TOTP token can log in again from ${utc(totpFrom)}.`,
    ...(tokens > 0
      ? [
          `Users with a HOTP token generate up to ${uses + 1} codes without using them, or register the token again with another secret.`,
        ]
      : []),
    ...(lists > 0 ? ['Users with a printed list get a new one.'] : []),
    ...(emergencies > 0 ? ['Users with an emergency password get a new one.'] : []),
    'Users who were asked for a code, and administrators with a session, log in again.',
  ];
}

function unknownLines({ revocationList: list, withDirectories }: Plan, { silent }: Done): readonly string[] {
  return [
    ...(list
      ? ['Certificates that were revoked after the CRL was signed: revoke them again.']
      : [
          'Certificates that were revoked since are valid again: revoke them, or give a CRL that was published since.',
        ]),
    'Certificates that were signed since are not on record. They log in no user and are not revoked: sign new ones.',
    'The embedded directory: users, passwords, tokens, settings and roles made since are lost; those removed or changed since are as they were before.',
    'Blocks of users and modes of clients that were set since are lost. Failures are counted from their earlier number.',
    'Tokens whose clock was resynchronised since are off again: resynchronise them.',
    'Events since are not in the event log, and numbers assigned since (Autoinc) may be assigned again: keep the old folder, if there is one.',
    ...(withDirectories
      ? []
      : [
          'An LDAP directory stores counters, printed lists and emergency passwords itself, newer than this folder: they stay. If it was restored as well, repeat the command with --with-directories.',
        ]),
    ...silent.map(
      (base) =>
        `The directory ${base} did not answer: the data of its users in the folder were invalidated, but the event log cannot name the users.`,
    ),
  ];
}
