/**
 * Metrics and traces. Each metric has a row with its Prometheus name and labels. Values of labels are fixed words (applications, methods,
 * outcomes), never input of callers.
 */

interface MetricRow {
  readonly type: 'counter' | 'histogram' | 'gauge';
  readonly name: string;
  readonly help: string;
  readonly labels: readonly string[];
}

const row = <const R extends MetricRow>(one: R): R => one;

export const metrics = {
  logins: row({
    type: 'counter',
    name: 'watchword_logins_total',
    help: 'Logins that were answered: granted, challenge, refused, too_many_attempts, no_session, invalid, failed.',
    labels: ['application', 'outcome'],
  }),
  loginTime: row({
    type: 'histogram',
    name: 'watchword_login_duration_seconds',
    help: 'Duration of a login, by stage: find (the user), admit (the limits), prove (the credentials), commit (on disk).',
    labels: ['application', 'stage'],
  }),
  codes: row({
    type: 'counter',
    name: 'watchword_codes_total',
    help: 'Right codes of logins: claimed (used up by the login), taken (claimed by another login).',
    labels: ['application', 'outcome'],
  }),
  waiting: row({
    type: 'gauge',
    name: 'watchword_logins_waiting',
    help: 'Logins of this node that wait for the lock of their user or a token of their source.',
    labels: [],
  }),
  connections: row({
    type: 'gauge',
    name: 'watchword_ldap_connections',
    help: 'Connections of this node to an LDAP directory, by base, pool (service, logins) and state: open, in_use (with a request in flight), waiting (requests that wait for one).',
    labels: ['directory', 'pool', 'state'],
  }),
  limits: row({
    type: 'counter',
    name: 'watchword_limits_total',
    help: 'Lockouts, used-up daily quotas, authenticator caps, disabled tokens, forgotten known sources and watched callers begun, by kind.',
    labels: ['kind'],
  }),
  calls: row({
    type: 'counter',
    name: 'watchword_manager_calls_total',
    help: 'Calls to the Manager by method: done, no_change, refused, failed.',
    labels: ['method', 'outcome'],
  }),
  callTime: row({
    type: 'histogram',
    name: 'watchword_manager_call_duration_seconds',
    help: 'Duration of a call to the Manager.',
    labels: ['method'],
  }),
  messages: row({
    type: 'counter',
    name: 'watchword_messages_total',
    help: 'Messages to people, by way (mail, sms, push): sent, retried (a try failed, and another follows), given_up.',
    labels: ['way', 'outcome'],
  }),
  messagesWaiting: row({
    type: 'gauge',
    name: 'watchword_messages_waiting',
    help: 'Messages that wait in the outbox for a gateway, as known to this node, by way.',
    labels: ['way'],
  }),
  up: row({
    type: 'gauge',
    name: 'watchword_server_up',
    help: 'Whether a server that this one depends on answers and can be written to, as in /readyz: 1 or 0.',
    labels: ['server'],
  }),
  eventAge: row({
    type: 'gauge',
    name: 'watchword_event_age_seconds',
    help: 'Age of the newest event of an application, or of the Manager, of any node.',
    labels: ['application'],
  }),
  freeSpace: row({
    type: 'gauge',
    name: 'watchword_store_free_bytes',
    help: 'Free space of the disk of the store.',
    labels: [],
  }),
};

export type MetricKey = keyof typeof metrics;
export type MetricLabels<K extends MetricKey> = Readonly<
  Record<(typeof metrics)[K]['labels'][number], string>
>;
type KeysOf<T extends MetricRow['type']> = {
  [K in MetricKey]: (typeof metrics)[K]['type'] extends T ? K : never;
}[MetricKey];

/**
 * The port of metrics, which never throws. `openPrometheus` of `@watchword/node/prometheus` is one.
 * @see docs/reference/metrics.md
 * @example
 * ```ts
 * import type { Meter } from '@watchword/core';
 *
 * const counts = new Map<string, number>();
 * const meter: Meter = {
 *   count: (metric) => void counts.set(metric, (counts.get(metric) ?? 0) + 1),
 *   time: () => {},
 *   set: () => {},
 * };
 * meter.count('logins', { application: 'Otp', outcome: 'granted' });
 * console.log(counts.get('logins')); // 1
 * ```
 */
export interface Meter {
  /** Adds one to a counter. */
  count<K extends KeysOf<'counter'>>(metric: K, labels: MetricLabels<K>): void;
  /** Adds a duration to a histogram. */
  time<K extends KeysOf<'histogram'>>(metric: K, labels: MetricLabels<K>, milliseconds: number): void;
  /** Sets a gauge. */
  set<K extends KeysOf<'gauge'>>(metric: K, labels: MetricLabels<K>, value: number): void;
  /** Writes all metrics as a page; left out where they are pushed. */
  page?(): Promise<MetricPage>;
}

export interface MetricPage {
  /** `text/plain; version=0.0.4` */
  readonly type: string;
  readonly text: string;
}

/** A meter without effect. */
export const noMeter: Meter = { count: () => {}, time: () => {}, set: () => {} };

/**
 * The part of OpenTelemetry's `Tracer` in use. Spans contain no input of callers and no names of users.
 * @see docs/guide/embedding.md#open-the-service
 * @example
 * ```ts
 * import { trace } from '@opentelemetry/api';
 * import type { Tracer } from '@watchword/core';
 *
 * const tracer: Tracer = trace.getTracer('watchword');
 * console.log(typeof tracer.startSpan); // function
 * ```
 */
export interface Tracer {
  /** Starts a span, which is the parent of spans in `work`. */
  startActiveSpan<T>(name: string, options: SpanOptions, work: (span: TraceSpan) => T): T;
  /** Starts a child of the active span. */
  startSpan(name: string, options: SpanOptions): TraceSpan;
}

export interface SpanOptions {
  readonly attributes?: Readonly<Record<string, string>>;
  /** Milliseconds since 1970; now if left out. */
  readonly startTime?: number;
}

export interface TraceSpan {
  setAttribute(key: string, value: string): unknown;
  /** @param status 2 for an error, as in `SpanStatusCode` */
  setStatus(status: { readonly code: number }): unknown;
  /** @param time milliseconds since 1970; now if left out */
  end(time?: number): void;
}

/** Ends a span with its outcome. */
export function endSpan(span: TraceSpan, outcome: string): void {
  span.setAttribute('watchword.outcome', outcome);
  if (outcome === 'failed') span.setStatus({ code: 2 });
  span.end();
}

const noSpan: TraceSpan = { setAttribute: () => {}, setStatus: () => {}, end: () => {} };

/** A tracer without effect. */
export const noTracer: Tracer = {
  startActiveSpan: (_name, _options, work) => work(noSpan),
  startSpan: () => noSpan,
};
