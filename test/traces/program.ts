/** A program that embeds Watchword and has OpenTelemetry: logs in well, badly and where nothing can be kept, and prints its spans. */
import { context, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { createService, Dn, ServiceError } from '@watchword/core';
import { openEmbedded } from '@watchword/engines';

const spans = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });
trace.setGlobalTracerProvider(provider);
context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());

const [folder = ''] = process.argv.slice(2);
const base = 'dc=example,dc=org';
const engines = await openEmbedded(folder, { base });
let isDown = false;
const commit: typeof engines.store.commit = (step) =>
  isDown ? Promise.reject(new ServiceError('unavailable')) : engines.store.commit(step);
const settings = {
  ...{ domains: { Default: { base } }, super_admins: [`uid=admin,${base}`] },
  ...{ settings: { 'Otp.LoginMode': 'LDAP' }, limits: { login_failure_delay_ms: 0 } },
};
const tracer = trace.getTracer('watchword');
const service = createService(settings, { ...engines, tracer, store: { ...engines.store, commit } });

const admin = Dn.parse(`uid=admin,${base}`);
const directory = engines.directory.service;
await directory.add(admin, new Map(Object.entries({ objectclass: ['inetOrgPerson'], cn: ['A'], sn: ['A'] })));
await directory.setPassword(admin, 'admin-Pa55', { mustChange: false });
const { manager, close } = await service.manager.login({ username: 'admin', password: 'admin-Pa55' });
const dn = `uid=alice,${base}`;
const attrs = {
  objectclass: ['inetOrgPerson', 'webadmAccount'],
  cn: 'Alice',
  sn: 'A',
  userpassword: 'alice-Pa55',
};
await manager.Create_LDAP_Object({ dn, attrs });

/** What a part of the work leaves behind, within a span of the program's own. */
async function seen(work: () => Promise<unknown>) {
  spans.reset();
  const own = trace.getTracer('program').startSpan('a request');
  await context.with(trace.setSpan(context.active(), own), work);
  own.end();
  return spans.getFinishedSpans().map((span) => ({
    ...{ name: span.name, attributes: span.attributes, status: span.status.code },
    ...{ id: span.spanContext().spanId, trace: span.spanContext().traceId },
    parent: span.parentSpanContext?.spanId,
  }));
}

const logIn = (ldapPassword: string) => () =>
  service.web.otp.normalLogin({ username: 'alice', ldapPassword });
const granted = await seen(logIn('alice-Pa55'));
const refused = await seen(logIn('wrong'));
isDown = true;
const failed = await seen(logIn('alice-Pa55'));
isDown = false;
const calls = await seen(async () => {
  await manager.Get_User_Attrs({ dn });
  await manager.Get_User_Attrs({ dn: `uid=nobody,${base}` }).catch(() => undefined);
});
console.log(JSON.stringify({ granted, refused, failed, calls }));
await close();
await service.close();
await engines.close();
