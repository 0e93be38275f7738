/** Types and queries of the server's OpenRPC 1.3.2 document (`rpc.discover`), from which the explorer lists methods and makes their forms. */
import type { Manager } from '../../api/manager.ts';

export interface JsonSchema {
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
}

export interface Parameter {
  readonly name: string;
  readonly description?: string;
  readonly required: boolean;
  readonly schema: JsonSchema;
}

export interface MethodDescription {
  readonly name: string;
  readonly summary: string;
  /** The permission that a role needs: `read`, `write`, `self`. */
  readonly tags: readonly { readonly name: string }[];
  readonly params: readonly Parameter[];
  readonly result: { readonly schema: JsonSchema };
  readonly errors: readonly { readonly $ref: string }[];
  readonly examples: readonly {
    readonly params: readonly { readonly name: string; readonly value: unknown }[];
  }[];
}

export interface ErrorDescription {
  readonly code: number;
  readonly message: string;
  readonly data: readonly { readonly reason: string; readonly message: string }[];
}

export interface OpenRpc {
  /** Whether the server answers the header `x-dry-run: 1` with a dry run; another server would ignore the header and make the change. */
  readonly 'x-dry-run'?: boolean;
  readonly servers: readonly { readonly url: string }[];
  readonly methods: readonly MethodDescription[];
  readonly components: { readonly errors: Readonly<Record<string, ErrorDescription>> };
}

/** Calls a method by name, without static typing. @throws CallError */
export async function callByName<Result = unknown>(
  manager: Manager,
  method: string,
  params: object | undefined,
): Promise<Result> {
  // `result` is never set: from its type, the batch infers the type of its result.
  const call: { method: string; params: object | undefined; result?: Result } = { method, params };
  const [result] = await manager.batch(() => [call]);
  return result;
}

/** Reads the OpenRPC document of the server. @throws CallError */
export const discover = (manager: Manager): Promise<OpenRpc> =>
  callByName<OpenRpc>(manager, 'rpc.discover', undefined);

/** Returns whether a method may change something; other methods are called without a confirmation. */
export const isMutating = ({ tags }: Pick<MethodDescription, 'tags'>): boolean =>
  tags.some(({ name }) => name === 'write');

export interface MethodGroup {
  /** The application; empty for methods of the core. */
  readonly application: string;
  readonly methods: readonly MethodDescription[];
}

/** Groups methods by application, the core first, in the order of the server. */
export function groupMethods(methods: readonly MethodDescription[]): readonly MethodGroup[] {
  const groups = new Map<string, MethodDescription[]>([['', []]]);
  for (const method of methods) {
    const application = applicationOf(method.name);
    groups.set(application, [...(groups.get(application) ?? []), method]);
  }
  return [...groups]
    .map(([application, all]) => ({ application, methods: all }))
    .filter((group) => group.methods.length > 0);
}

const applicationOf = (name: string): string => (name.includes('.') ? (name.split('.', 1)[0] ?? '') : '');

/** Finds methods with every word of the query in their name or summary. */
export function findMethods(
  methods: readonly MethodDescription[],
  query: string,
): readonly MethodDescription[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return methods.filter(({ name, summary }) => {
    const text = `${name} ${summary}`.toLowerCase();
    return words.every((word) => text.includes(word));
  });
}

/** Returns the errors of a method. */
export const errorsOf = (method: MethodDescription, { components }: OpenRpc): readonly ErrorDescription[] =>
  method.errors.flatMap(({ $ref }) => components.errors[$ref.split('/').at(-1) ?? ''] ?? []);
