/** The needs of method rows: rights at an entry that a role must grant besides the method, judged without making the call. */
import type { Schema } from '../../config/config.ts';
import { licenceClassOf } from '../../directory/entry/entry.ts';
import { memberAttributes } from '../../directory/entry/group.ts';
import { textsOf } from '../../foundation/text/value.ts';
import type { Entry } from '../../ports/directory/directory.ts';
import type { NamedNeed, Need } from '../../table/method.ts';

/** The rights of one method at one entry, or anywhere. */
export interface RightsAtEntry {
  readonly schema: Schema;
  readonly isSuperAdmin: boolean;
  /** Read with `objectClass`; undefined: it is not there, or it is asked of no entry in particular. */
  readonly entry: Entry | undefined;
  /** Attributes that it is named by. */
  readonly naming: readonly string[];
  reads(attribute: string): boolean;
  writes(attribute: string): boolean;
  creates(objectClass: string): boolean;
  moves(): Promise<boolean>;
}

type Judge = (prospect: RightsAtEntry) => boolean | Promise<boolean>;

const reading =
  (attributes: (schema: Schema) => readonly string[]): Judge =>
  ({ schema, reads }) =>
    attributes(schema).every(reads);

const judges: Readonly<Record<NamedNeed, Judge>> = {
  readsData: reading(({ data_attribute }) => [data_attribute]),
  readsSettings: reading((schema) => [schema.settings_attribute, ...memberAttributes(schema)]),
  readsGroups: reading(memberAttributes),
  readsFactors: reading((schema) => [
    ...[schema.data_attribute, schema.settings_attribute],
    ...memberAttributes(schema),
  ]),
  readsLogins: reading(({ login_attributes }) => login_attributes),
  readsCertificates: reading(({ certificate_attributes }) => certificate_attributes),
  writesData: ({ schema, writes }) => writes(schema.data_attribute),
  writesSettings: ({ schema, writes }) => writes(schema.settings_attribute),
  writesCertificates: ({ schema, writes }) => schema.certificate_attributes.some(writes),
  setsPasswords: ({ schema, writes }) => schema.password_attributes.some(writes),
  activates: ({ schema, entry, creates }) =>
    creates((entry && licenceClassOf(entry, schema)) ?? schema.account_class),
  unmakes: ({ entry, creates }) =>
    textsOf(entry?.attributes.get('objectclass') ?? []).every((name) => name === 'top' || creates(name)),
  renames: ({ naming, writes }) => naming.every(writes),
  moves: ({ moves }) => moves(),
  isSuper: ({ isSuperAdmin }) => isSuperAdmin,
};

/** Returns whether all needs are met. */
export async function areMet(needs: readonly Need[], prospect: RightsAtEntry): Promise<boolean> {
  for (const need of needs) if (!(await judgeOf(need)(prospect))) return false;
  return true;
}

const judgeOf = (need: Need): Judge =>
  isNamed(need) ? judges[need] : reading(() => [need.replace('reads ', '')]);

const isNamed = (need: Need): need is NamedNeed => Object.hasOwn(judges, need);
