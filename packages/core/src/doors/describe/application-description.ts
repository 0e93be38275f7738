/** Export description files: the part of the interface that one application, or the core, adds. */
import type { ServedApplications } from '../../applications/context/call.ts';
import type { ServiceConfig } from '../../config/config.ts';
import type { Names } from '../../table/dialect.ts';
import type { Fields } from '../../table/operation.ts';
import type { JsonSchema } from '../../table/schema/index.ts';
import type { Setting, SettingKind } from '../../table/setting-row.ts';
import type { WebService } from '../web/operations.ts';
import { objectOf } from './openapi.ts';
import type { OpenRpcMethod } from './openrpc.ts';

interface DescribedApplication {
  readonly application: ServedApplications[string];
  /** The name in this installation. */
  readonly name: string;
  readonly version: string;
  readonly names: Names;
  /** Undefined: it has no operations. */
  readonly service: WebService | undefined;
  readonly methods: readonly OpenRpcMethod[];
}

export const applicationDescription = ({
  application: { settings, publicData },
  name,
  version,
  names,
  service,
  methods,
}: DescribedApplication): object => ({
  ...{ application: name, version, methods },
  ...(service && { service: service.word, operations: operationsOf(service) }),
  settings: Object.values<Setting>(settings).map((setting) => describeSetting(setting, names)),
  data: publicData.map((key) => `${name}.${key}`),
});

const operationsOf = ({ operations }: WebService): readonly object[] =>
  operations.map(({ name, operation: { summary, request, response, example, isForSystems = false } }) => ({
    ...{ name, summary, isForSystems, request: fieldsOf(request), response: fieldsOf(response) },
    ...(example && { example }),
  }));

const fieldsOf = (fields: Fields): JsonSchema => objectOf(fields);

const describeSetting = (
  { name, summary, type, default: preset, unsupported }: Setting,
  names: Names,
): object => ({
  ...{ name: names.theirsDotted(name), summary, schema: schemaOf(type) },
  ...(preset !== undefined && { default: preset }),
  ...(unsupported && { unsupported: unsupported.because }),
});

/** Values are text on the wire and on the entry. */
function schemaOf(type: SettingKind): JsonSchema {
  switch (type.kind) {
    case 'boolean':
      return { type: 'string', enum: ['Yes', 'No'] };
    case 'word':
      return { type: 'string', enum: type.words };
    case 'integer':
      return type.only
        ? { type: 'string', enum: type.only.map(String) }
        : { type: 'string', pattern: '^-?[0-9]+$', description: `${type.min} to ${type.max}` };
    case 'moment':
      return { type: 'string', description: 'YYYY-MM-DD HH:MM:SS, UTC' };
    case 'text':
      return { type: 'string' };
  }
}

/** @param described methods, and what the classes and attributes of the directory are for here */
export const coreDescription = ({
  methods,
  schema,
  version,
}: {
  readonly methods: readonly OpenRpcMethod[];
  readonly schema: ServiceConfig['schema'];
  readonly version: string;
}): object => ({ version, methods, schema });
