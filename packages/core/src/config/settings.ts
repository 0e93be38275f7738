/**
 * The settings table: every key of the configuration with its type, its default, one sentence and the group
 * it stands in. A suffix `_s`, `_ms` or `_bytes` is the unit.
 */

import { madeAtNeed, madeAtNeedOf } from '../table/schema/zod.ts';
import { administratorSettings } from './sections/administrators.ts';
import { applicationSettings, namedOf } from './sections/applications.ts';
import { callerServerSettings, callerSettings } from './sections/callers.ts';
import { directoryServerSettings, directorySettings } from './sections/directories.ts';
import { interfaceServerSettings, interfaceSettings } from './sections/interfaces.ts';
import { messagingServerSettings, messagingSettings } from './sections/messaging.ts';
import { operationServerSettings, operationSettings } from './sections/operation.ts';
import type { Vocabulary } from './vocabulary.ts';

const serviceShape = madeAtNeed(() => ({
  ...interfaceSettings(),
  ...messagingSettings(),
  ...operationSettings(),
  ...administratorSettings(),
  ...directorySettings(),
  ...applicationSettings(),
  ...callerSettings(),
}));

const serverShape = madeAtNeed(() => ({
  ...interfaceServerSettings(),
  ...messagingServerSettings(),
  ...operationServerSettings(),
  ...directoryServerSettings(),
  ...callerServerSettings(),
}));

export const serviceSchema = madeAtNeed((z) => z.strictObject(serviceShape()));
export const serverSchema = madeAtNeed((z) => z.strictObject({ ...serviceShape(), ...serverShape() }));

const wordsOf = ({ applications }: Vocabulary): string =>
  JSON.stringify(Object.values(applications).map(({ name, service, isServed }) => [name, service, isServed]));

export const serviceSchemaOf = madeAtNeedOf(wordsOf, (_, vocabulary) =>
  serviceSchema().extend(namedOf(vocabulary)),
);

export const serverSchemaOf = madeAtNeedOf(wordsOf, (_, vocabulary) =>
  serverSchema().extend(namedOf(vocabulary)),
);
