/** Metrics for Prometheus, by its client library. */
import { type Meter, type MetricKey, metrics } from '@watchword/core/ports';
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';

/** Bucket limits in seconds: a password takes 10 ms, a refusal a second, a wait in a queue up to 10 s. */
const buckets = [0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

/**
 * Opens a meter whose page includes metrics of this process: memory, processor, event loop.
 * @returns the meter, for the port `meter` of `createService`
 * @see docs/reference/metrics.md
 * @example
 * ```ts
 * import { openPrometheus } from '@watchword/node/prometheus';
 *
 * const meter = openPrometheus();
 * meter.count('logins', { application: 'Otp', outcome: 'granted' });
 * console.log((await meter.page()).text.includes('watchword_logins_total{')); // true
 * ```
 */
export function openPrometheus(): Required<Meter> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const options = (key: MetricKey) => {
    const { name, help, labels } = metrics[key];
    return { name, help, labelNames: [...labels], registers: [registry] };
  };
  const keys = Object.keys(metrics).filter(isMetric);
  const create = <T>(type: (typeof metrics)[MetricKey]['type'], construct: (key: MetricKey) => T) =>
    new Map(keys.filter((key) => metrics[key].type === type).map((key) => [key, construct(key)]));
  const counters = create('counter', (key) => new Counter(options(key)));
  const histograms = create('histogram', (key) => new Histogram({ ...options(key), buckets }));
  const gauges = create('gauge', (key) => new Gauge(options(key)));
  return {
    count: (metric, labels) => counters.get(metric)?.inc({ ...labels }),
    time: (metric, labels, milliseconds) =>
      histograms.get(metric)?.observe({ ...labels }, milliseconds / 1000),
    set: (metric, labels, value) => gauges.get(metric)?.set({ ...labels }, value),
    page: async () => ({ type: registry.contentType, text: await registry.metrics() }),
  };
}

const isMetric = (key: string): key is MetricKey => Object.hasOwn(metrics, key);
