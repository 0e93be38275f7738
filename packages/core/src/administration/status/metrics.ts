/** The endpoint `/metrics`: measured values, and values that are read at each request. */
import type { ServiceConfig } from '../../config/config.ts';
import { StartError } from '../../foundation/errors/start-error.ts';
import { Network } from '../../foundation/text/network.ts';
import { channelNames, type Outbox } from '../../messaging/outbox.ts';
import type { Clock } from '../../ports/clock.ts';
import type { DirectoryServer } from '../../ports/directory/directory.ts';
import type { EventLog } from '../../ports/event-log/event-log.ts';
import type { Meter, MetricPage } from '../../ports/meter.ts';
import type { Names } from '../../table/dialect.ts';
import type { KnownApplication } from '../../table/known-application.ts';
import type { Readiness } from './readiness.ts';

interface Measured {
  readonly config: Pick<ServiceConfig, 'metrics_clients'>;
  readonly meter: Meter;
  readonly limits: { readonly waiting: number };
  readonly readiness: () => Promise<Readiness>;
  readonly server: Pick<DirectoryServer, 'connections'>;
  readonly events: Pick<EventLog, 'list'>;
  readonly clock: Pick<Clock, 'now'>;
  readonly applications: Readonly<Record<string, Pick<KnownApplication, 'name'>>>;
  readonly names: Pick<Names, 'theirs'>;
  readonly outbox: Pick<Outbox, 'state'>;
}

/** Undefined: this address may not look. */
export async function metricsFor(address: string, view: Measured): Promise<MetricPage | undefined> {
  const { config, meter, limits, readiness, server: directory } = view;
  const isFor = Network.parseAll(config.metrics_clients).some((network) => network.contains(address));
  if (!isFor || !meter.page) return undefined;
  const { servers, freeBytes } = await readiness();
  for (const [server, isUp] of servers) meter.set('up', { server }, isUp ? 1 : 0);
  if (freeBytes !== undefined) meter.set('freeSpace', {}, freeBytes);
  meter.set('waiting', {}, limits.waiting);
  for (const { base, pool, ...counts } of directory.connections?.() ?? []) {
    const state = (name: string) => ({ directory: base, pool, state: name });
    meter.set('connections', state('open'), counts.open);
    meter.set('connections', state('in_use'), counts.inUse);
    meter.set('connections', state('waiting'), counts.waiting);
  }
  for (const channel of channelNames) {
    const state = view.outbox.state(channel);
    if (state) meter.set('messagesWaiting', { way: channel }, state.waiting);
  }
  await setEventAges(view);
  return meter.page();
}

/** Measures the ages of the last events; `watchword_server_up` shows an event log that does not answer. */
async function setEventAges({ applications, names, events, clock, meter }: Measured): Promise<void> {
  const all = ['Manager', ...Object.values(applications).map(({ name }) => names.theirs(name))];
  const newest = await Promise.allSettled(all.map((application) => events.list({ application, max: 1 })));
  for (const [index, listed] of newest.entries()) {
    const [event] = listed.status === 'fulfilled' ? listed.value : [];
    const application = all[index];
    if (!event || application === undefined) continue;
    meter.set('eventAge', { application }, Math.max(0, clock.now() - event.time) / 1000);
  }
}

/** @throws StartError if somebody may look, and there is nothing to look at */
export function assertMeasured({ config, meter }: Pick<Measured, 'config' | 'meter'>): void {
  if (config.metrics_clients.length === 0 || meter.page) return;
  throw new StartError(
    'metrics_clients is set, but no meter with a page is among the ports: hand in openPrometheus() of @watchword/node/prometheus, or leave the setting out.',
  );
}
