/** The steps of a dry run in the words of `changesBetween`, for tests. */
import { attributeType } from '../../../../foundation/text/value.ts';
import type { Rehearsal, RehearsedStep } from '../rehearsal.ts';

export function changesTold(answer: unknown): readonly string[] | null {
  const { would } = answer as Rehearsal;
  return would && [...new Set(would.flatMap(wordsOf))].sort();
}

function wordsOf(step: RehearsedStep): readonly string[] {
  switch (step.operation) {
    case 'add':
      return [`added ${step.dn}`.toLowerCase()];
    case 'remove':
      return [`removed ${step.dn}`.toLowerCase()];
    case 'rename':
      return [`removed ${step.dn}`, `added ${step.to}`].map((words) => words.toLowerCase());
    case 'password':
      return [`changed ${step.dn} userpassword`.toLowerCase()];
    case 'modify':
      return step.changes.map(({ attribute }) =>
        `changed ${step.dn} ${attributeType(attribute)}`.toLowerCase(),
      );
    case 'store':
      return [`store ${step.family}`];
    case 'certificate':
    case 'revoke':
      return ['certificate'];
    case 'send':
    case 'forget':
      return [];
  }
}
