/**
 * Records of certificates on PostgreSQL, as values without an end: certificates by serial number, the serial numbers of each owner in order of
 * issue, and revocations.
 */
import type { CertificateRecord, CertificateRecords, KnownRevocation } from '@watchword/core/ports';
import { type Decision, permanent } from '../steps/changes.ts';
import type { Name } from '../steps/names.ts';
import type { Steps } from '../steps/steps.ts';
import { pagesOf, valuesOf } from './families.ts';
import {
  certificateValue,
  certificateValues,
  families,
  familyOfOwner,
  type KeyedValue,
  revocationValue,
} from './record-values.ts';

const { certificates, revocations } = families;

export function openCertificateRecords(steps: Steps): CertificateRecords {
  return {
    add: (record) => {
      const values = certificateValues(record);
      return steps.change(values.map(lasting), () => put(undefined, values));
    },
    find: async (serial) => {
      const value = isSerial(serial) ? await steps.read(named(certificates, serial)) : undefined;
      return value && decode<CertificateRecord>(value);
    },
    of: async (owner) => {
      const serials: string[] = [];
      for await (const page of pagesOf(steps, { name: familyOfOwner(owner), lasting: true }))
        serials.push(...page.map(({ value }) => value.toString('latin1')));
      const rows = await valuesOf(steps, certificates, serials);
      const found = new Map(rows.map(({ subject, value }) => [subject, decode<CertificateRecord>(value)]));
      return serials.flatMap((serial) => found.get(serial) ?? []);
    },
    some: async (isWanted) => {
      for await (const page of pagesOf(steps, { name: certificates, lasting: true }))
        if (page.some(({ value }) => isWanted(decode<CertificateRecord>(value)))) return true;
      return false;
    },
    revoked: async (since) => {
      const all: KnownRevocation[] = [];
      for await (const page of pagesOf(steps, { name: revocations, lasting: true }))
        all.push(...page.map(({ value }) => decode<KnownRevocation>(value)));
      return all.filter(({ notAfter }) => notAfter >= since);
    },
    revoke: async (serial, at) => {
      if (!isSerial(serial)) return false;
      const [mine, revocation] = [named(certificates, serial), named(revocations, serial)];
      return steps.change([mine, revocation], (found): Decision<boolean> => {
        const value = found(0);
        const record = value && decode<CertificateRecord>(value);
        if (!record || record.revoked !== undefined) return { result: false };
        const revoked = { ...record, revoked: at };
        return put(true, [certificateValue(revoked), revocationValue(revoked)]);
      });
    },
    noteRevoked: (revocation) => {
      const name = named(revocations, revocation.serial);
      return steps.change([name], (found): Decision<boolean> => {
        if (found(0)) return { result: false };
        return put(true, [revocationValue(revocation)]);
      });
    },
    close: async () => {},
  };
}

const lasting = ({ key }: { readonly key: string }): Name => ({ key, lasting: true });
const named = (family: string, subject: string): Name => lasting({ key: `${family}:${subject}` });

/** @param values in the order of the step's names */
const put = <T>(result: T, values: readonly KeyedValue[]): Decision<T> => ({
  result,
  changes: values.map(({ value }, at) => [at, permanent(value)]),
});

/** Returns whether a text is a serial number (RFC 5280 §4.1.2.2: 20 octets). */
const isSerial = (text: string): boolean => /^[0-9a-f]{1,40}$/.test(text);

const decode = <T>(value: Buffer): T => JSON.parse(value.toString('utf8'));
