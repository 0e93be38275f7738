/** Answers of REST, written in one go. */
import { expect, it } from 'vitest';
import { integerField, listField, mapField, mapsField, textField } from '../../table/field.ts';
import { fieldWriter, jsonWriter } from './fields.ts';

const rows = { code: integerField, error: textField, mobile: listField, one: mapField, all: mapsField };

it.each([
  {},
  { code: 1, error: '' },
  { error: 'a "quoted" word\n', code: 0 },
  { mobile: ['+1', 'ü'], one: { b: 1, a: ['x'] }, all: [{ n: 'y' }] },
  { code: undefined, error: 'x' },
])('an answer is as JSON.stringify writes its fields: %j', (values) => {
  expect(jsonWriter(rows)(values)).toBe(JSON.stringify(fieldWriter(rows)(values)));
});
