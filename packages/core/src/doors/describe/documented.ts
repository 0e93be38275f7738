/**
 * Declarations of the typed client with the summaries of the rows as comments, for editors. A type that follows from a value has its
 * names but not its texts. `scripts/docs.mjs` writes the file.
 */
import { bundled } from '../../applications/index.ts';
import { Names } from '../../table/dialect.ts';
import { coreMethods } from '../manager/methods.ts';
import { functionName } from '../web/in-process.ts';
import { OperationTable } from '../web/operations.ts';

interface Row {
  readonly summary: string;
}

/** File names in `packages/client/src/documented` → what is to stand in them. */
export function documented(): ReadonlyMap<string, string> {
  return new Map([
    ['methods.ts', declaration('DocumentedMethods', 'method of the Manager', methods())],
    ['operations.ts', declaration('DocumentedOperations', 'operation of the web services', operations())],
  ]);
}

function methods(): readonly string[] {
  const exported = Object.values(bundled).filter(({ methods }) => Object.keys(methods).length > 0);
  return [
    ...members(Object.entries(coreMethods)),
    ...exported.flatMap(({ name, methods }) => group(name, Object.entries(methods))),
  ];
}

function operations(): readonly string[] {
  const { services } = new OperationTable(bundled, new Names());
  return services.flatMap(({ application: { service }, operations }) =>
    group(
      service,
      operations.map(({ ours, operation }) => [functionName(ours.slice(service.length)), operation]),
    ),
  );
}

type Rows = readonly (readonly [name: string, row: Row])[];

const members = (rows: Rows): readonly string[] =>
  rows.flatMap(([name, { summary }]) => [
    `/** ${summary.replaceAll('*/', '*\\/')} */`,
    `readonly ${name}: unknown;`,
  ]);

const group = (name: string, rows: Rows): readonly string[] => [
  `readonly ${name}: {`,
  ...members(rows).map((line) => `  ${line}`),
  '};',
];

const declaration = (name: string, of: string, lines: readonly string[]): string =>
  [
    `/** Written by \`npm run docs\` from the rows: what an editor shows of each ${of}. */`,
    `export interface ${name} {`,
    ...lines.map((line) => `  ${line}`),
    '}',
    '',
  ].join('\n');
