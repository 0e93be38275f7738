/** A group with many members, for tests of large updates. */
import type { Change } from '../../../core/src/ports/directory/directory.ts';
import { attributes, named } from './test-directory.ts';

export const group = named('everybody');
export const names = (count: number, of = 'user'): string[] =>
  Array.from({ length: count }, (_, n) => named(`${of} ${n}`).toString());
export const change = (operation: Change['operation'], values: readonly string[]): Change[] => [
  { operation, attribute: 'member', values },
];
export const groupOf = (member: readonly string[]) => attributes({ objectclass: ['groupOfNames'], member });
