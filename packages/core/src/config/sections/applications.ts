/** The settings of applications: names, and presets of their settings. */

import { weaklyCached, zod } from '../../table/schema/zod.ts';
import type { Vocabulary } from '../vocabulary.ts';
import { inGroup, word } from './types.ts';

const theirs = (ours: string) => word().default(ours).describe(`What this installation calls ${ours}.`);

/** A word of an application without a web service, which no other application may have. */
const theirsUnserved = (ours: string) =>
  word()
    .default(ours)
    .meta({ description: `What this installation calls ${ours}.`, kept: true });

/** Makes a key for each word of the applications. */
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

/** Replaces `names` by the words of the applications. */
export const namedOf = (vocabulary: Vocabulary) => ({
  names: namesOf(vocabulary)
    .prefault({})
    .meta(
      inGroup('Interfaces')(
        'Our words for applications and services, and what this installation calls them.',
      ),
    ),
});
