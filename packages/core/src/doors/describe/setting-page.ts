/** The page of docs/reference on the configuration: every setting with its type, default, variable and description, by group. */
import { isMap, type SchemaNode } from '../../config/schema-node.ts';
import { code, describeSchema, page, table } from './markdown.ts';

export function settingPage(schema: SchemaNode): string {
  const settings = Object.entries(schema.properties ?? {}).flatMap(([key, node]) =>
    isNode(node) ? [{ path: [key], node, parent: schema }] : [],
  );
  const groups = [...new Set(settings.map(({ node }) => node.group ?? 'Others'))];
  const sections = groups.map((group) =>
    groupSection(
      group,
      settings.filter(({ node }) => (node.group ?? 'Others') === group),
    ),
  );
  return page('Configuration', 'the settings table', intro, ...sections);
}

const intro = `One YAML file, given with \`--config\`; [config.schema.json](config.schema.json) is its JSON Schema, for
editors. A list may also be written as text, \`"a", "b"\`. Paths are relative to the folder of the file. An
environment variable goes before the file; an empty one is none.`;

/** A setting and its path: `['limits', 'depth']` in the schema of `limits`. */
interface PlacedSetting {
  readonly path: readonly string[];
  readonly node: SchemaNode;
  readonly parent: SchemaNode;
}

/** Single settings in one table, then a table for each setting that is a map of known keys. */
function groupSection(group: string, settings: readonly PlacedSetting[]): string {
  const single = settings.filter(({ node }) => parts(node).length === 0);
  const maps = settings.filter(({ node }) => parts(node).length > 0);
  return [
    `## ${group}`,
    ...(single.length > 0 ? [settingTable(single)] : []),
    ...maps.flatMap(mapSections),
  ].join('\n\n');
}

/** The maps that a setting may be: one, one for each `type`, or one for each name that an operator chooses. */
interface Part {
  readonly heading: (key: string) => string;
  readonly path: readonly string[];
  readonly node: SchemaNode;
}

function parts(node: SchemaNode): readonly Part[] {
  const { oneOf, properties, additionalProperties } = node;
  if (oneOf) return oneOf.map((kind) => ({ heading: (key) => headingOf(key, kind), path: [], node: kind }));
  if (properties) return [{ heading: (key) => key, path: [], node }];
  if (!isNode(additionalProperties) || !additionalProperties.properties) return [];
  return [{ heading: (key) => `${key}.<name>`, path: ['<name>'], node: additionalProperties }];
}

function headingOf(key: string, { properties }: SchemaNode): string {
  const type = properties?.type;
  return isNode(type) ? `${key}: {type: ${String(type.const)}}` : key;
}

function mapSections({ path: [key = ''], node }: PlacedSetting): string[] {
  return parts(node).flatMap((part) => {
    const places = Object.entries(part.node.properties ?? {}).flatMap(([name, child]) =>
      isNode(child) ? [{ path: [key, ...part.path, name], node: child, parent: part.node }] : [],
    );
    return [`### ${code(part.heading(key))}`, node.description ?? '', settingTable(places)];
  });
}

function settingTable(places: readonly PlacedSetting[]): string {
  const rows = places.map((place) => [
    code(place.path.join('.')),
    describeSchema(place.node),
    presetOf(place),
    variableOf(place),
    meaningOf(place.node),
  ]);
  return table(['Setting', 'Type', 'Default', 'Variable', 'Meaning'], rows);
}

const meaningOf = ({ description = '', kept }: SchemaNode): string =>
  kept ? `${description} Kept: nothing acts on it in this version.` : description;

function presetOf({ path, node, parent }: PlacedSetting): string {
  const { default: preset } = node;
  if (preset === undefined) return parent.required?.includes(path.at(-1) ?? '') ? 'required' : '';
  if (Array.isArray(preset))
    return preset.length === 0 ? 'empty' : preset.map((one) => code(String(one))).join(', ');
  return isMap(preset) ? 'empty' : code(String(preset));
}

/** Returns the environment variable of a setting, as `@watchword/node` reads it; a map has no form as text, nor has a list of maps. */
function variableOf({ path, node, parent }: PlacedSetting): string {
  if (node.type === 'object' || (isNode(node.items) && node.items.type === 'object')) return '';
  const twins = Object.keys(parent.properties ?? {}).map((key) => key.toLowerCase());
  const last = path.at(-1) ?? '';
  const isAmbiguous = twins.filter((key) => key === last.toLowerCase()).length > 1;
  const words = [
    ...path.slice(0, -1).map((word) => word.toUpperCase()),
    isAmbiguous ? last : last.toUpperCase(),
  ];
  return code(`WATCHWORD_${words.join('__')}`);
}

const isNode = (node: unknown): node is SchemaNode => isMap(node);
