/** The settings of applications: their names here, and defaults of their own settings. */

import { weaklyCached, zod } from '../../table/schema/zod.ts';
import type { Vocabulary } from '../vocabulary.ts';
import { inGroup, word } from './types.ts';

const theirs = (ours: string) => word().default(ours).describe(`What this installation calls ${ours}.`);

/** A word of an application without a web service: no other application may have the same one. */
const theirsUnserved = (ours: string) =>
  word()
    .default(ours)
    .meta({ description: `What this installation calls ${ours}.`, kept: true });

/** A key for each word of ours, which are the applications' to say. */
function namesOf({ applications }: Vocabulary) {
  const all = Object.values(applications);
  const rows = [
    ...all.map(({ name }) => [name, theirs(name)] as const),
    ...all.map(({ service, isServed }) => [service, (isServed ? theirs : theirsUnserved)(service)] as const),
  ];
  return zod().strictObject(Object.fromEntries(rows));
}

const settingName = weaklyCached((z) =>
  z.string().regex(/^[A-Za-z][A-Za-z0-9]*\.[A-Za-z][A-Za-z0-9]*$/, 'is not of the form App.Name'),
);

const settingValue = weaklyCached((z) => z.union([z.string(), z.boolean(), z.number().transform(String)]));

export const settings = weaklyCached((z) => z.record(settingName(), settingValue()).default({}));

export const applicationSettings = weaklyCached((z) => ({
  names: z.record(z.string(), word()).default({}),
  settings: settings().meta(
    inGroup('Applications')('Defaults of the applications, overridden for the whole installation.'),
  ),
}));

/** The words of the applications in place of any. */
export const namedOf = (vocabulary: Vocabulary) => ({
  names: namesOf(vocabulary)
    .prefault({})
    .meta(
      inGroup('Interfaces')(
        'Our words for applications and services, and what this installation calls them.',
      ),
    ),
});
