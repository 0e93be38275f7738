/** The engines of a dry run: a service on them changes nothing. */

import { outboxFamily } from '../../../messaging/stored-message.ts';
import type { CertificateAuthority } from '../../../ports/authority.ts';
import type { Directory, DirectoryServer } from '../../../ports/directory/directory.ts';
import type { EventLog } from '../../../ports/event-log/event-log.ts';
import type { Log } from '../../../ports/log/log.ts';
import { noMeter, noTracer } from '../../../ports/meter.ts';
import type { Ports } from '../../../ports/ports.ts';
import type { CertificateRecord, CertificateRecords } from '../../../ports/store/certificate-records.ts';
import type { EntryRecords } from '../../../ports/store/entry-records.ts';
import { DryRunDirectory } from './directory.ts';
import { DryRunEntries } from './entries.ts';
import { DryRunLedger } from './ledger.ts';
import type { Recorder } from './recorder.ts';
import { DryRunStore } from './store.ts';

/**
 * @param ports whose `directory` has all its layers
 * @param bound as whom the call is made: `directory.bind` gives it once, whatever the password
 */
export function dryRunPorts(ports: Ports, bound: Directory, recorder: Recorder): Ports {
  return {
    ...ports,
    directory: dryRunServer(ports.directory, bound, recorder),
    store: new DryRunLedger(ports.store, (key, change) => {
      const [family = ''] = key.split(':', 1);
      if (!unreportedFamilies.includes(family)) recorder.add({ operation: 'store', family, change });
    }),
    ephemeral: new DryRunStore(ports.ephemeral, () => {}),
    events: dryRunEvents(ports.events, recorder),
    entryRecords: dryRunRecords(ports.entryRecords, recorder),
    authority: dryRunAuthority(ports.authority),
    certificates: dryRunCertificates(ports.certificates, recorder),
    yubico: ports.yubico && { verify: recorder.stop, close: () => {} },
    openid: undefined,
    log: silent,
    meter: { ...noMeter, ...(ports.meter?.page && { page: recorder.stop }) },
    tracer: noTracer,
  };
}

/** Families of leases, and of messages, each of which is reported as one step. */
const unreportedFamilies = ['lease', outboxFamily];

/** Judges no passwords: a guess is counted and recorded, which a dry run must not be. */
function dryRunServer(server: DirectoryServer, bound: Directory, recorder: Recorder): DirectoryServer {
  const drafts = new DryRunEntries();
  const draft = (directory: Directory) => new DryRunDirectory(directory, drafts, server);
  const bounds = [draft(bound)];
  return {
    service: draft(server.service),
    bind: async () => {
      const directory = bounds.pop() ?? recorder.stop();
      return { granted: true, directory, mustChange: false };
    },
    authenticate: recorder.stop,
    changePassword: recorder.stop,
    revision: (dn) => server.revision(drafts.nameBefore(dn) ?? dn),
    pages: (request) => server.pages(request),
    capabilities: (dn) => server.capabilities(dn),
    schema: (dn) => server.schema(dn),
    binaryAttributes: (dn) => server.binaryAttributes(dn),
    setWriters: () => {},
    probe: () => server.probe(),
    connections: () => server.connections?.() ?? [],
    clearCaches: () => recorder.add({ operation: 'forget' }),
    close: async () => {},
  };
}

/** Reports no events: each change is recorded when it is made. */
const dryRunEvents = (events: EventLog, recorder: Recorder): EventLog => ({
  append: async () => {},
  list: (query) => events.list(query),
  placed: (query) => events.placed(query),
  exported: recorder.stop,
  probe: async () => {},
  close: async () => {},
});

function dryRunRecords(records: EntryRecords, recorder: Recorder): EntryRecords {
  const drafts = new Map<string, string | undefined>();
  const read = async (entries: readonly string[]) => {
    const found = await records.read(entries.filter((entry) => !drafts.has(entry)));
    const drafted = entries.flatMap((entry) => {
      const text = drafts.get(entry);
      return text === undefined ? [] : [[entry, text] as const];
    });
    return new Map([...found, ...drafted]);
  };
  return {
    read,
    swap: async (entry, { before, after }) => {
      if ((await read([entry])).get(entry) !== before) return false;
      drafts.set(entry, after);
      const change = after === undefined ? 'remove' : 'set';
      recorder.add({ operation: 'store', family: 'entry-records', change });
      return true;
    },
    all: () => records.all(),
    close: async () => {},
  };
}

/** Signs nothing: the caller would have a valid signature without a record. */
const dryRunAuthority = (authority: CertificateAuthority): CertificateAuthority => ({
  certificate: authority.certificate,
  read: (request) => authority.read(request),
  issue: async (_, { days }) => ({ ...unsigned, pem: '', notAfter: days * 86_400_000 }),
  recognise: (certificate) => authority.recognise(certificate),
  list: (revoked) => authority.list(revoked),
  readList: (list) => authority.readList(list),
  answer: (request, judge) => authority.answer(request, judge),
  assertSignable: (content, form) => authority.assertSignable(content, form),
  sign: async (_, { days }) => ({
    ...{ ...unsigned, notAfter: days * 86_400_000 },
    ...{ signed: new Uint8Array(), der: new Uint8Array() },
  }),
  probe: async () => {},
});

const unsigned = { serial: '' } as const;

function dryRunCertificates(certificates: CertificateRecords, recorder: Recorder): CertificateRecords {
  const revoked = new Map<string, number>();
  const asOfNow = (record: CertificateRecord): CertificateRecord => {
    const at = record.revoked ?? revoked.get(record.serial);
    return at === undefined ? record : { ...record, revoked: at };
  };
  const revoke = async (serial: string, at: number, isThere: boolean) => {
    if (!isThere || revoked.has(serial)) return false;
    revoked.set(serial, at);
    recorder.add({ operation: 'revoke', serial });
    return true;
  };
  return {
    add: async ({ subject }) => recorder.add({ operation: 'certificate', subject }),
    find: async (serial) => {
      const found = await certificates.find(serial);
      return found && asOfNow(found);
    },
    of: async (owner) => (await certificates.of(owner)).map(asOfNow),
    some: (isWanted) => certificates.some((record) => isWanted(asOfNow(record))),
    revoked: (since) => certificates.revoked(since),
    revoke: async (serial, at) => {
      const found = await certificates.find(serial);
      return revoke(serial, at, found !== undefined && found.revoked === undefined);
    },
    noteRevoked: async ({ serial, revoked: at }) => revoke(serial, at, true),
    close: async () => {},
  };
}

/** A log without lines: nothing has happened. */
const silent: Log = { info: () => {}, warn: () => {}, error: () => {} };
