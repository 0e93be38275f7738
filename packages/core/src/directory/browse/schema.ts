/** `Get_Directory_Schema`: classes and attributes, for forms. */
import type { Dn } from '../../foundation/text/dn.ts';
import {
  byAnyName,
  type Definition,
  lineage,
  namesOf,
  parseDefinitions,
  syntaxOf,
} from '../../foundation/text/schema-definition.ts';
import type { DirectoryServer } from '../../ports/directory/directory.ts';
import { type BinaryView, binaryAttributesAt, type IsBinary } from '../binary-attributes.ts';
import { readExisting } from '../entry/entry.ts';
import type { BoundView } from '../view.ts';

export const classKinds = ['structural', 'auxiliary', 'abstract'] as const;

export interface ClassFacts {
  readonly name: string;
  readonly kind: (typeof classKinds)[number];
  readonly sup: readonly string[];
  /** Including those of superior classes. */
  readonly must: readonly string[];
  readonly may: readonly string[];
  readonly description: string;
}

export interface AttributeFacts {
  readonly name: string;
  /** Its other names. */
  readonly aliases: readonly string[];
  /** The OID of its syntax, RFC 4517; empty where unknown. */
  readonly syntax: string;
  readonly single: boolean;
  /** Whether its values are base64. */
  readonly binary: boolean;
  /** Whether the directory maintains it. */
  readonly readonly: boolean;
  readonly description: string;
}

export interface DirectorySchema {
  readonly classes: readonly ClassFacts[];
  readonly attributes: readonly AttributeFacts[];
}

export interface SchemaView extends BoundView, BinaryView {
  readonly server: BinaryView['server'] & Pick<DirectoryServer, 'schema'>;
}

/** Reads the schema. @throws ServiceError `not_found`; `permission_denied` for callers that may not read the entry */
export async function readSchema(dn: Dn, call: SchemaView): Promise<DirectorySchema> {
  await readExisting(call.directory, dn, ['1.1']);
  const { objectClasses, attributeTypes } = await call.server.schema(dn);
  const isBinary = await binaryAttributesAt(dn, call);
  const classes = definitionsOf(objectClasses);
  const attributes = definitionsOf(attributeTypes);
  return {
    classes: classes.all.map((one) => classFacts(one, classes)),
    attributes: attributes.all.map((one) => attributeFacts(one, attributes, isBinary)),
  };
}

interface Definitions {
  /** Definitions by name. */
  readonly all: readonly Definition[];
  /** Definitions by all names, in lower case, and by OID. */
  readonly byName: ReadonlyMap<string, Definition>;
}

function definitionsOf(texts: readonly string[]): Definitions {
  const all = texts.flatMap(parseDefinitions).sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
  return { all, byName: byAnyName(all) };
}

const nameOf = (definition: Definition): string => namesOf(definition)[0] ?? definition.oid;

const descriptionOf = ({ fields }: Definition): string => fields.get('DESC')?.join(' ') ?? '';

function classFacts(definition: Definition, classes: Definitions): ClassFacts {
  const line = lineage(definition, classes.byName);
  const listed = (field: string) => [
    ...new Map(
      line.flatMap(({ fields }) => fields.get(field) ?? []).map((name) => [name.toLowerCase(), name]),
    ).values(),
  ];
  const must = listed('MUST');
  const needed = new Set(must.map((name) => name.toLowerCase()));
  return {
    name: nameOf(definition),
    kind: classKinds.find((kind) => definition.flags.has(kind.toUpperCase())) ?? 'structural',
    sup: definition.fields.get('SUP') ?? [],
    must,
    may: listed('MAY').filter((name) => !needed.has(name.toLowerCase())),
    description: descriptionOf(definition),
  };
}

function attributeFacts(definition: Definition, { byName }: Definitions, isBinary: IsBinary): AttributeFacts {
  const [name = definition.oid, ...aliases] = namesOf(definition);
  const usage = definition.fields.get('USAGE')?.[0] ?? 'userApplications';
  return {
    ...{ name, aliases },
    syntax: syntaxOf(lineage(definition, byName)),
    single: definition.flags.has('SINGLE-VALUE'),
    binary: isBinary(name),
    readonly: definition.flags.has('NO-USER-MODIFICATION') || usage !== 'userApplications',
    description: descriptionOf(definition),
  };
}
