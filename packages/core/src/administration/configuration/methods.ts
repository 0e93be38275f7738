/** The rows of the method table for the configuration (ours). */

import { formatTimestamp } from '../../foundation/text/timestamp.ts';
import { method } from '../../table/method.ts';
import { integer, type JsonSchema, optional, text, written } from '../../table/schema/index.ts';
import {
  type ConfigChange,
  type ConfigurationContext,
  configurationHistory,
  getConfiguration,
  type ListedSetting,
  listSettings,
  restoreConfiguration,
  type ShownConfiguration,
  setConfiguration,
} from './run-time-configuration.ts';
import { settingsTree } from './settings-tree.ts';
import type { ConfigVersion } from './versions.ts';

const field = { type: 'string' };
const words = { type: 'array', items: field };
const anything: JsonSchema = {};
const version = { type: 'integer', description: 'The number of the version; 0: before the first change.' };

const listed = written(
  {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        ...{ name: field, group: field, description: field },
        layer: {
          enum: ['preset', 'file', 'runtime', 'both'],
          description: 'The layer of the value; `both`: a map of which each layer has entries.',
        },
        changeable: { type: 'boolean', description: '`Set_Config` may change it.' },
        value: { description: 'The value in force without secrets, or the preset.' },
        schema: { type: 'object', description: 'JSON Schema of the value.' },
      },
    },
  },
  (found: readonly ListedSetting[]) => found.map((one) => ({ ...one, value: one.value ?? null })),
);

const shown = written(
  {
    type: 'object',
    properties: {
      version,
      settings: { ...anything, description: 'The settings at run time, without secrets.' },
      file: { ...anything, description: 'The settings of the file, which win, without secrets.' },
    },
  },
  ({ number, ...rest }: ShownConfiguration) => ({ version: number, ...rest }),
);

const history = written(
  {
    type: 'array',
    items: {
      type: 'object',
      properties: {
        version,
        time: { ...field, description: '`YYYY-MM-DD HH:MM:SS` in UTC.' },
        author: { ...field, description: 'The DN of the administrator, or the command.' },
        comment: field,
        changed: { ...words, description: 'The paths of changed settings.' },
      },
    },
  },
  (found: readonly Omit<ConfigVersion, 'settings'>[]) =>
    found.map(({ number, time, author, comment, changed }) => ({
      ...{ version: number, time: formatTimestamp(time) },
      ...{ author, comment, changed },
    })),
);

const change = written(
  {
    type: 'object',
    properties: { version, changed: { ...words, description: 'The paths of changed settings.' } },
  },
  ({ number, changed }: ConfigChange) => ({ version: number, changed }),
);

const audit = ({ number, changed }: ConfigChange) => ({
  version: String(number),
  changed: changed.join(' '),
});

export const configurationMethods = {
  List_Config: method({
    summary:
      'Lists the settings of the installation, each with its value, its description, its JSON Schema, and the layer that it comes from: the file, the settings at run time, or the preset. For super administrators only.',
    on: 'nothing',
    params: {},
    result: listed,
    permission: 'read',
    needs: ['isSuper'],
    run: (_, call: ConfigurationContext) => listSettings(call),
  }),
  Get_Config: method({
    summary:
      'Returns the settings at run time of a version, and those of the file, both without secrets. For super administrators only.',
    on: 'nothing',
    params: { version: optional(integer()) },
    result: shown,
    permission: 'read',
    needs: ['isSuper'],
    run: ({ version }, call: ConfigurationContext) => getConfiguration(version, call),
  }),
  Set_Config: method({
    summary:
      'Changes settings at run time by a JSON Merge Patch (RFC 7396), in which null removes a setting. The change is in force at the next request on every node. It is validated as the file is, and refused as a whole where one setting is wrong, or where it would shut the caller out. For super administrators only; who administers and which callers are trusted wants a sign-in with a second factor within the last fifteen minutes.',
    on: 'nothing',
    params: {
      settings: settingsTree(),
      version: optional(integer()),
      comment: optional(text()),
    },
    example: {
      settings: { websrvs: { otp: { require: 'certificate' } } },
      version: 3,
      comment: 'certificates for the portal',
    },
    result: change,
    permission: 'write',
    needs: ['isSuper'],
    run: ({ settings, version, comment = '' }, call: ConfigurationContext) =>
      setConfiguration({ patch: settings, seen: version, comment }, call),
    audit,
  }),
  Config_History: method({
    summary:
      'Lists the versions of the settings at run time, the newest first: when, who, and which settings. The last hundred are kept. For super administrators only.',
    on: 'nothing',
    params: {},
    result: history,
    permission: 'read',
    needs: ['isSuper'],
    run: (_, call: ConfigurationContext) => configurationHistory(call),
  }),
  Restore_Config: method({
    summary:
      'Puts the settings at run time of an earlier version in force again, as a new version; 0 removes them all. It is judged as `Set_Config`. For super administrators only.',
    on: 'nothing',
    params: { version: integer() },
    example: { version: 2 },
    result: change,
    permission: 'write',
    needs: ['isSuper'],
    run: ({ version }, call: ConfigurationContext) => restoreConfiguration(version, call),
    audit,
  }),
} as const;
