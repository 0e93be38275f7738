/**
 * The Manager as an OpenRPC 1.3.2 document (https://spec.open-rpc.org), out of the method table and the error
 * table. It describes the standard dialect; each error also names the code of the deployed one.
 */
import { errorTable, type Reason, reasons } from '../../foundation/errors/errors.ts';
import type { AnyMethod } from '../../table/method.ts';
import { type JsonSchema, paramSchema } from '../../table/schema/index.ts';
import type { MethodTable, NamedMethod } from '../manager/methods.ts';

export interface OpenRpc {
  openrpc: '1.3.2';
  /** Ours: calls with the header `x-dry-run: 1` are judged, and change nothing. */
  'x-dry-run': true;
  info: { title: string; version: string; description: string };
  servers: { name: string; url: string }[];
  methods: OpenRpcMethod[];
  components: { errors: Record<string, OpenRpcError> };
}

export interface OpenRpcMethod {
  name: string;
  summary: string;
  tags: { name: string }[];
  paramStructure: 'either';
  params: Content[];
  result: Content;
  errors: { $ref: string }[];
  examples: { name: string; params: { name: string; value: unknown }[] }[];
}

/** A "content descriptor": a named value. */
interface Content {
  name: string;
  description?: string;
  required: boolean;
  schema: JsonSchema;
}

/** An error object is found by its code, which several reasons share. */
interface OpenRpcError {
  code: number;
  message: string;
  data: { reason: Reason; message: string; deployed: number }[];
}

export interface Published {
  /** The version of this server. */
  readonly version: string;
  /** The address of the interface: `https://…/manag/`. */
  readonly url: string;
}

export function openrpc(table: MethodTable, { version, url }: Published): OpenRpc {
  const errors = errorsByCode();
  const references = Object.keys(errors).map((key) => ({ $ref: `#/components/errors/${key}` }));
  return {
    openrpc: '1.3.2',
    'x-dry-run': true,
    info: {
      title: 'Watchword Manager',
      version,
      description: 'Administration of users over JSON-RPC 2.0: one POST for each call or batch of calls.',
    },
    servers: [{ name: 'Manager', url }],
    methods: table.all.map((named) => describeMethod(named, references)),
    components: { errors },
  };
}

function describeMethod({ name, method }: NamedMethod, errors: { $ref: string }[]): OpenRpcMethod {
  return {
    name,
    summary: method.summary,
    tags: [{ name: method.permission }],
    paramStructure: 'either',
    params: Object.entries(method.params).map(([param, row]) => ({
      name: param,
      required: !row.optional,
      ...(row.ignored && { description: 'Ignored: nothing acts on it in this version.' }),
      ...(row.byName && { description: 'By name only.' }),
      schema: paramSchema(row),
    })),
    result: { name: 'result', required: true, schema: method.result.schema },
    errors,
    examples: [{ name: `call of ${name}`, params: exampleParams(method) }],
  };
}

/** Returns the example's parameters in the order of the row, as positional callers need them. */
function exampleParams({ example = {} }: AnyMethod): { name: string; value: unknown }[] {
  return Object.entries(example).map(([name, value]) => ({ name, value }));
}

/** OpenRPC wants the codes of a method to differ, so what shares a code is one error here. */
function errorsByCode(): Record<string, OpenRpcError> {
  const errors: Record<string, OpenRpcError> = {};
  for (const reason of reasons) {
    const { standard: code, deployed, message } = errorTable[reason];
    errors[`code${code}`] ??= { code, message, data: [] };
    errors[`code${code}`]?.data.push({ reason, message, deployed });
  }
  return errors;
}
