/** The page of docs/reference on metrics. */
import { metrics } from '../../ports/meter.ts';
import { code, page, table } from './markdown.ts';

export function metricPage(): string {
  const rows = Object.values(metrics).map(({ name, type, labels, help }) => [
    code(name),
    type,
    labels.map(code).join(', '),
    help,
  ]);
  return page(
    'Metrics',
    'the rows of `ports/meter.ts`',
    intro,
    table(['Name', 'Type', 'Labels', 'What it tells'], rows),
  );
}

const intro = `What \`/metrics\` of both servers tells, in the text format of Prometheus, to the addresses in \`metrics_clients\`. Beside these
stand the numbers of the process (\`process_…\`, \`nodejs_…\`) that prom-client collects. Labels never hold what callers write.`;
