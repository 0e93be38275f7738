/**
 * A node of the configuration's JSON Schema, with the keywords that the settings table produces.
 */
export interface SchemaNode {
  readonly description?: string;
  /** Whether the setting has no effect in this version. */
  readonly kept?: boolean;
  /** The group of a top-level setting. */
  readonly group?: string;
  readonly type?: string | readonly string[];
  readonly properties?: Readonly<Record<string, SchemaNode | boolean>>;
  readonly additionalProperties?: SchemaNode | boolean;
  readonly items?: SchemaNode | boolean | readonly (SchemaNode | boolean)[];
  readonly oneOf?: readonly SchemaNode[];
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  /** Examples, shown where a value is missing. */
  readonly examples?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
}

export type Path = readonly (string | number)[];

export function isMap(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns the node of a key or index; undefined if there is no such setting. */
export function childNode(node: SchemaNode, key: string | number, value?: unknown): SchemaNode | undefined {
  const { properties, additionalProperties, items } = branch(node, value);
  const own = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
  const child = typeof key === 'number' ? items : (own ?? additionalProperties);
  return isNode(child) ? child : undefined;
}

/** Returns the node at a path; undefined if there is no such setting. */
export function nodeAt(root: SchemaNode, path: Path, value: unknown): SchemaNode | undefined {
  let node: SchemaNode | undefined = root;
  let at = value;
  for (const key of path) {
    node = node && childNode(node, key, at);
    at = valueAt(at, [key]);
  }
  return node;
}

/** Returns the value at a path, by own properties only: `constructor` is no setting. */
export function valueAt(value: unknown, path: Path): unknown {
  let at = value;
  for (const key of path)
    at = typeof at === 'object' && at !== null ? Reflect.get(own(at, key), key) : undefined;
  return at;
}

export function knownKeys(node: SchemaNode | undefined, value?: unknown): readonly string[] {
  return node ? Object.keys(branch(node, value).properties ?? {}) : [];
}

/** Returns the variant of a map (such as `directory`) that `type` names; without it only `type` is known. */
function branch(node: SchemaNode, value: unknown): SchemaNode {
  if (!node.oneOf) return node;
  const kind = valueAt(value, ['type']);
  const kinds = node.oneOf.map((option) => childNode(option, 'type')?.const);
  return node.oneOf[kinds.indexOf(kind)] ?? { properties: { type: { enum: kinds } } };
}

function own(value: object, key: string | number): object {
  return Object.hasOwn(value, key) ? value : {};
}

function isNode(node: unknown): node is SchemaNode {
  return isMap(node);
}
