/**
 * The settings table: every key of the configuration with type, default, description and group. A suffix `_s`, `_ms` or `_bytes` is the unit.
 */

import { weaklyCached, weaklyCachedOf } from '../table/schema/zod.ts';
import { administratorSettings } from './sections/administrators.ts';
import { applicationSettings, namedOf } from './sections/applications.ts';
import { callerServerSettings, callerSettings } from './sections/callers.ts';
import { directoryServerSettings, directorySettings } from './sections/directories.ts';
import { interfaceServerSettings, interfaceSettings } from './sections/interfaces.ts';
import { messagingServerSettings, messagingSettings } from './sections/messaging.ts';
import { operationServerSettings, operationSettings } from './sections/operation.ts';
import type { Vocabulary } from './vocabulary.ts';

const serviceShape = weaklyCached(() => ({
  ...interfaceSettings(),
  ...messagingSettings(),
  ...operationSettings(),
  ...administratorSettings(),
  ...directorySettings(),
  ...applicationSettings(),
  ...callerSettings(),
}));

const serverShape = weaklyCached(() => ({
  ...interfaceServerSettings(),
  ...messagingServerSettings(),
  ...operationServerSettings(),
  ...directoryServerSettings(),
  ...callerServerSettings(),
}));

export const serviceSchema = weaklyCached((z) => z.strictObject(serviceShape()));
export const serverSchema = weaklyCached((z) => z.strictObject({ ...serviceShape(), ...serverShape() }));

const wordsOf = ({ applications }: Vocabulary): string =>
  JSON.stringify(Object.values(applications).map(({ name, service, isServed }) => [name, service, isServed]));

export const serviceSchemaOf = weaklyCachedOf(wordsOf, (_, vocabulary) =>
  serviceSchema().extend(namedOf(vocabulary)),
);

export const serverSchemaOf = weaklyCachedOf(wordsOf, (_, vocabulary) =>
  serverSchema().extend(namedOf(vocabulary)),
);
