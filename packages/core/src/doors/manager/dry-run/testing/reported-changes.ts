/** The steps of a dry run in the words of `changesBetween`, for tests. */
import { attributeType } from '../../../../foundation/text/value.ts';
import type { DryRunResult, DryRunStep } from '../dry-run.ts';

export function reportedChanges(answer: unknown): readonly string[] | null {
  const { would } = answer as DryRunResult;
  return would && [...new Set(would.flatMap(wordsOf))].sort();
}

function wordsOf(step: DryRunStep): readonly string[] {
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
