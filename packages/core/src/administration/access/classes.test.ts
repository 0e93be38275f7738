/** Classes that a change makes or unmakes: those are what a role's `create` has to name. */
import { expect, it } from 'vitest';
import type { Change } from '../../ports/directory/directory.ts';
import { classesTouched } from './classes.ts';

const before = ['top', 'person', 'posixAccount'];

it.each<[Change['operation'], string[], string[]]>([
  ['add', ['webadmAccount'], ['webadmAccount']],
  ['add', ['PERSON', 'webadmAccount'], ['PERSON', 'webadmAccount']],
  ['delete', ['person'], ['person']],
  ['delete', [], before],
  ['replace', ['TOP', 'Person', 'webadmAccount'], ['webadmAccount', 'posixAccount']],
  ['replace', before, []],
  ['replace', [], before],
])('takes %s of %j for a change of %j', (operation, values, touched) => {
  expect(classesTouched({ operation, attribute: 'objectClass', values }, before)).toEqual(touched);
});
