/** The report of a restore for the operator: what is closed, whom to inform, and what is unknown. */
import { formatTimestamp } from '../../../foundation/text/timestamp.ts';
import type { Done, Plan } from './restore.ts';

export function reportOf(plan: Plan, done: Done): string {
  const { path, taken, writes } = plan;
  const head = writes
    ? `What may have been used since ${at(taken)} is closed in ${path}.`
    : `${path} is of ${at(taken)}. What may have been used since would be closed; nothing was written.`;
  return [
    head,
    section('Closed', closedLines(plan, done)),
    section('Tell the users', tellLines(plan, done)),
    section('Not known here; look at it, or do it again', unknownLines(plan, done)),
  ].join('\n\n');
}

const at = (moment: number): string => `${formatTimestamp(moment)} UTC`;
const section = (title: string, lines: readonly string[]): string =>
  [`${title}:`, ...lines.map((line) => `  - ${line}`)].join('\n');

function closedLines({ uses, list }: Plan, done: Done): readonly string[] {
  const { tokens, lists, emergencies, users } = done;
  return [
    `Codes of TOTP tokens: none is good before ${at(done.totpFrom)}, of whatever user.`,
    `HOTP tokens: ${tokens}, raised by ${uses + 1} counters or more, so that up to ${uses} codes of each may have been used.`,
    `Printed lists: ${lists} removed. Emergency passwords: ${emergencies} removed.`,
    `Logins that waited for a code: ${done.challenges} ended. Sessions of administrators: ${done.sessions} ended.`,
    list === undefined
      ? 'Revocations: none; no list was named (--crl).'
      : `Revocations: ${done.revocations} that were not known, from ${list.path}, signed on ${at(list.signed)}.`,
    `Users concerned: ${users}. The event log says who, and how.`,
  ];
}

function tellLines({ uses }: Plan, { totpFrom, tokens, lists, emergencies }: Done): readonly string[] {
  return [
    `Who has an authenticator app or a TOTP token waits until ${at(totpFrom)}, and logs in as ever.`,
    ...(tokens > 0
      ? [
          `Who has a HOTP token makes up to ${uses + 1} codes that nobody uses, or has it registered anew with another secret.`,
        ]
      : []),
    ...(lists > 0 ? ['Who has a printed list gets a new one.'] : []),
    ...(emergencies > 0 ? ['Who has an emergency password gets a new one.'] : []),
    'Who was waiting for a code, or was an administrator in a session, logs in again.',
  ];
}

function unknownLines({ list, withDirectories }: Plan, { silent }: Done): readonly string[] {
  return [
    ...(list
      ? ['Certificates that were revoked after that list was signed: revoke them again.']
      : [
          'Certificates that were revoked since are good again: revoke them, or name a list that was published since.',
        ]),
    'Certificates that were signed since are not on record, log nobody in, and are not revoked: sign new ones.',
    'What the embedded directory held: users, passwords, tokens, settings and roles of since are gone, and those that were removed or changed are back.',
    'Users that were blocked since, and modes of clients that were set since, are not. Wrong attempts are counted from what they were.',
    'Tokens whose clock was found off since (a resynchronisation) are off again: resynchronise them.',
    'Events since are not in the event log, and numbers given since (Autoinc) may be given again: keep the old folder, if there is one.',
    ...(withDirectories
      ? []
      : [
          'An LDAP directory keeps counters, lists and emergency passwords itself, newer than this folder: they stay. If it was put back as well, type this with --with-directories.',
        ]),
    ...silent.map(
      (base) =>
        `The directory ${base} did not answer: what the folder keeps of its users is closed, and the event log cannot say whose it is.`,
    ),
  ];
}
