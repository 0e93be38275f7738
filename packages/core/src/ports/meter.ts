/**
 * What is measured and traced, for whoever watches an installation: each number has one row here, with its name and labels in the
 * words of Prometheus. Labels come from what is fixed (applications, methods, outcomes), never from what callers write.
 */

interface MetricRow {
  readonly type: 'counter' | 'histogram' | 'gauge';
  readonly name: string;
  /** A sentence for people. */
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
    help: 'Right codes that logins have shown: claimed (used up by it), taken (another login was faster with it).',
    labels: ['application', 'outcome'],
  }),
  waiting: row({
    type: 'gauge',
    name: 'watchword_logins_waiting',
    help: 'Logins of this node that wait until others of the same user or place have been judged.',
    labels: [],
  }),
  connections: row({
    type: 'gauge',
    name: 'watchword_ldap_connections',
    help: 'Connections of this node to an LDAP directory, by its base and what they are for (service, logins), by state: open, in_use (a request is under way on it), waiting (requests that wait for one).',
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
    help: 'How long a call to the Manager took.',
    labels: ['method'],
  }),
  messages: row({
    type: 'counter',
    name: 'watchword_messages_total',
    help: 'Messages to people, by how they go (mail, sms, push): sent, retried (a try failed, and another follows), given_up.',
    labels: ['way', 'outcome'],
  }),
  messagesWaiting: row({
    type: 'gauge',
    name: 'watchword_messages_waiting',
    help: 'Messages that wait in the outbox for a gateway, as this node knows, by how they go.',
    labels: ['way'],
  }),
  up: row({
    type: 'gauge',
    name: 'watchword_server_up',
    help: 'Whether a server behind this one answers and can be written to, as /readyz tells it: 1 or 0.',
    labels: ['server'],
  }),
  eventAge: row({
    type: 'gauge',
    name: 'watchword_event_age_seconds',
    help: 'How long ago the newest event of an application, or of the Manager, was put on record, by any node.',
    labels: ['application'],
  }),
  freeSpace: row({
    type: 'gauge',
    name: 'watchword_store_free_bytes',
    help: 'What is free where the store is kept.',
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

/** Where measurements go. It throws nothing. */
export interface Meter {
  /** One more. */
  count<K extends KeysOf<'counter'>>(metric: K, labels: MetricLabels<K>): void;
  /** @param milliseconds how long it took */
  time<K extends KeysOf<'histogram'>>(metric: K, labels: MetricLabels<K>, milliseconds: number): void;
  /** As it is now. */
  set<K extends KeysOf<'gauge'>>(metric: K, labels: MetricLabels<K>, value: number): void;
  /** All of it as a page; left out where measurements are sent somewhere instead. */
  page?(): Promise<MetricPage>;
}

export interface MetricPage {
  /** `text/plain; version=0.0.4` */
  readonly type: string;
  readonly text: string;
}

/** Nobody watches. */
export const noMeter: Meter = { count: () => {}, time: () => {}, set: () => {} };

/**
 * Where spans go: what of OpenTelemetry's `Tracer` is used here, so that `trace.getTracer('watchword')` of
 * `@opentelemetry/api` is one. Nothing that a caller writes is in a span, and no name of a user.
 */
export interface Tracer {
  /** A span of something that takes its time, and the one that those within it are in. */
  startActiveSpan<T>(name: string, options: SpanTerms, work: (span: TraceSpan) => T): T;
  /** A span in the one that is active. */
  startSpan(name: string, options: SpanTerms): TraceSpan;
}

export interface SpanTerms {
  readonly attributes?: Readonly<Record<string, string>>;
  /** Milliseconds since 1970; left out: now. */
  readonly startTime?: number;
}

export interface TraceSpan {
  setAttribute(key: string, value: string): unknown;
  /** @param status 2: an error, as `SpanStatusCode` has it */
  setStatus(status: { readonly code: number }): unknown;
  /** @param time milliseconds since 1970; left out: now */
  end(time?: number): void;
}

/** Ends a span with how it went. */
export function endSpan(span: TraceSpan, outcome: string): void {
  span.setAttribute('watchword.outcome', outcome);
  if (outcome === 'failed') span.setStatus({ code: 2 });
  span.end();
}

const noSpan: TraceSpan = { setAttribute: () => {}, setStatus: () => {}, end: () => {} };

/** Nobody traces. */
export const noTracer: Tracer = {
  startActiveSpan: (_name, _options, work) => work(noSpan),
  startSpan: () => noSpan,
};
