/** The rows of the method table for directory objects, users, settings and data. */

import { matchAll } from '../foundation/text/filter.ts';
import { isSecretAttribute } from '../foundation/text/value.ts';
import type { Dialect } from '../table/dialect.ts';
import { method } from '../table/method.ts';
import {
  askedTexts,
  boolean,
  bytes,
  choice,
  count,
  dataByName,
  dn,
  filter,
  flag,
  list,
  mapOf,
  name,
  namesOrValues,
  optional,
  password,
  pem,
  settingNames,
  settingsByName,
  strings,
  success,
  text,
  valuesByName,
} from '../table/schema/index.ts';
import { type BinaryView, binaryAttributesAt } from './binary-attributes.ts';
import { setSettings, settingsInForce, type WarningView } from './data/settings.ts';
import { type ShownDataView, withoutSecrets } from './data/shown-data.ts';
import { readData, type SecretReadingView, setData } from './data/user-data.ts';
import { type WrittenValuesView, writeJudged } from './data/written-values.ts';
import { activate, deactivate } from './entry/activation.ts';
import { type ActivationView, assertMayBeInactive, isActive } from './entry/active.ts';
import {
  decodeAttributes,
  decodeRemovals,
  encodeAttributes,
  lowerClasses,
  removeAttributes,
  removeValue,
  removeValues,
  requested,
  setAttributes,
} from './entry/attributes.ts';
import { certificateOf, certificatesOf } from './entry/certificate.ts';
import type { DormantView } from './entry/dormant.ts';
import { onEntry, onExisting, readExisting } from './entry/entry.ts';
import {
  type CreationView,
  createObject,
  moveObject,
  renameObject,
  type SearchView,
  searchObjects,
} from './entry/object.ts';
import { checkPassword, type PasswordTrial, setPassword } from './entry/password.ts';
import { endSessions, type SessionEndingView } from './entry/sessions.ts';
import { countUsers, findUser, loginNames } from './entry/user.ts';
import { type DirectGroupsView, findGroups } from './groups/direct-groups.ts';
import type { Memberships } from './groups/memberships.ts';
import type { BoundView, DataWords, DomainView, EntryView, LayerView, SchemaWords, Words } from './view.ts';

export interface AttributesView extends BoundView, ShownDataView, BinaryView {
  readonly dialect: Pick<Dialect, 'lowersClasses'>;
}

const attributeMap = () => mapOf(strings());

/** Entries of the examples, from the quick start. */
const people = 'ou=people,dc=example,dc=org';
const alice = `uid=alice,${people}`;
const dave = `uid=dave,${people}`;
const staff = 'cn=staff,ou=groups,dc=example,dc=org';

export const objectMethods = {
  Create_LDAP_Object: method({
    summary: 'Creates a directory object.',
    on: 'dn',
    params: { dn: dn(), attrs: valuesByName() },
    example: { dn: dave, attrs: { objectclass: ['inetOrgPerson'], cn: 'Dave Dorn', sn: 'Dorn' } },
    result: success(),
    permission: 'write',
    run: async ({ dn, attrs }, call: CreationView & BinaryView) => {
      if (!(await createObject(dn, await decodeAttributes(attrs, await binaryAttributesAt(dn, call)), call)))
        return false;
    },
  }),
  Check_LDAP_Object: method({
    summary: 'Tells whether a directory object exists.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: alice },
    result: boolean(),
    permission: 'read',
    isShortRead: true,
    run: async ({ dn }, { directory }: BoundView) => (await directory.read(dn, ['1.1'])) !== undefined,
  }),
  Activate_LDAP_Object: method({
    summary: 'Adds the licence class to a user or group; false if it is active already.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: alice },
    result: success(),
    permission: 'write',
    needs: ['activates'],
    run: async ({ dn }, call: DormantView) => {
      if (!(await activate(dn, call))) return false;
    },
  }),
  Deactivate_LDAP_Object: method({
    summary:
      'Takes the licence class from a user or group, whose settings and data are kept for the next activation; false if it is not active.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: alice },
    result: success(),
    permission: 'write',
    needs: ['activates', 'writesSettings', 'writesData'],
    run: async ({ dn }, call: DormantView & ActivationView & SessionEndingView) => {
      if (await deactivate(dn, call)) return endSessions(dn, call);
      await assertMayBeInactive(dn, call);
      return false;
    },
  }),
  Move_LDAP_Object: method({
    summary: 'Moves a directory object to another container; its RDN stays.',
    on: ['dn', 'container'],
    params: { dn: dn(), container: dn() },
    example: { dn: alice, container: 'ou=former,dc=example,dc=org' },
    result: success(),
    permission: 'write',
    needs: ['unmakes', 'moves'],
    run: ({ dn, container }, call: BoundView) => moveObject(dn, container, call),
  }),
  Rename_LDAP_Object: method({
    summary: 'Gives the naming attribute of a directory object another value.',
    on: 'dn',
    params: { dn: dn(), name: text() },
    example: { dn: alice, name: 'aarcher' },
    result: success(),
    permission: 'write',
    needs: ['renames', 'moves'],
    run: ({ dn, name }, call: WrittenValuesView) =>
      onExisting(call.directory, dn, () => renameObject(dn, name, call)),
  }),
  Remove_LDAP_Object: method({
    summary: 'Removes a directory object without children.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: alice },
    result: success(),
    permission: 'write',
    needs: ['unmakes'],
    run: ({ dn }, { directory }: BoundView) => onEntry('remove', dn, () => directory.remove(dn)),
  }),
  Search_LDAP_Objects: method({
    summary: 'Finds directory objects, in creation order with the base first.',
    on: 'basedn',
    params: {
      basedn: dn(),
      filter: optional(filter()),
      scope: optional(choice('sub', 'base', 'one')),
      attrs: optional(list()),
    },
    example: { basedn: people, filter: '(&(objectClass=person)(sn=A*))', attrs: ['cn', 'mail'] },
    result: mapOf(attributeMap()),
    permission: 'read',
    run: ({ basedn, filter = matchAll, scope = 'sub', attrs }, call: SearchView) =>
      searchObjects({ base: basedn, filter, scope, attributes: requested(attrs) }, call),
  }),
} as const;

export const attributeMethods = {
  Get_User_Attrs: method({
    summary: 'Reads attributes of a directory object; all of them if none is named.',
    on: 'dn',
    params: { dn: dn(), attrs: optional(list()) },
    example: { dn: alice, attrs: ['mail', 'mobile'] },
    result: attributeMap(),
    permission: 'read',
    isShortRead: true,
    run: ({ dn, attrs }, call: AttributesView) =>
      onExisting(call.directory, dn, async () => {
        const names = requested(attrs);
        const entry = withoutSecrets(await readExisting(call.directory, dn, names), call);
        const encoded = encodeAttributes(entry, names, await binaryAttributesAt(dn, call));
        return call.dialect.lowersClasses ? lowerClasses(encoded) : encoded;
      }),
  }),
  Set_User_Attrs: method({
    summary: 'Replaces attributes of a directory object or, with `values`, adds to their values.',
    on: 'dn',
    params: { dn: dn(), attrs: valuesByName(), values: optional(flag()) },
    example: { dn: staff, attrs: { member: [alice] }, values: true },
    result: success(),
    permission: 'write',
    run: ({ dn, attrs, values = false }, call: WrittenValuesView & BinaryView & SessionEndingView) =>
      onExisting(call.directory, dn, async () => {
        const attributes = await decodeAttributes(attrs, await binaryAttributesAt(dn, call));
        const write = () => setAttributes(call.directory, dn, { attributes, add: values });
        await writeJudged(dn, { values: [...attributes], add: values }, { call, write });
        if ([...attrs.keys()].some(isSecretAttribute)) await endSessions(dn, call);
      }),
  }),
  Remove_User_Attrs: method({
    summary: 'Removes attributes (a list of names) or, with `values`, only the values given (a map).',
    on: 'dn',
    params: { dn: dn(), attrs: namesOrValues(), values: optional(flag()) },
    example: { dn: staff, attrs: { member: [alice] }, values: true },
    result: success(),
    permission: 'write',
    run: ({ dn, attrs, values = false }, call: BoundView & BinaryView & SessionEndingView) =>
      onExisting(call.directory, dn, async () => {
        if (values) {
          const removed = await decodeRemovals(attrs, await binaryAttributesAt(dn, call));
          await removeValues(call.directory, dn, removed);
        } else await removeAttributes(call.directory, dn, attrs.names);
        if (attrs.names.some(isSecretAttribute)) await endSessions(dn, call);
      }),
  }),
  Get_User_Certificates: method({
    summary: 'Reads the certificates of a user as PEM, expired ones too.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: alice },
    result: strings(),
    permission: 'read',
    needs: ['readsCertificates'],
    run: async ({ dn }, call: BoundView & SchemaWords) => {
      const { certificate_attributes } = call.config.schema;
      return certificatesOf(
        await readExisting(call.directory, dn, certificate_attributes),
        certificate_attributes,
      );
    },
  }),
  Remove_User_Certificate: method({
    summary: 'Removes one certificate of a user; false if it is not there.',
    on: 'dn',
    params: { dn: dn(), certificate: pem() },
    example: { dn: alice, certificate: '-----BEGIN CERTIFICATE-----…' },
    result: boolean(),
    permission: 'write',
    needs: ['writesCertificates'],
    run: ({ dn, certificate }, call: BoundView & SchemaWords) =>
      onExisting(call.directory, dn, () => {
        const attributes = call.config.schema.certificate_attributes;
        return removeValue(call.directory, dn, {
          attributes,
          value: certificateOf(certificate, 'certificate'),
        });
      }),
  }),
  Set_User_Password: method({
    summary: 'Sets the password of a user; with `change` it must be changed at the next login.',
    on: 'dn',
    params: { dn: dn(), password: password(), change: optional(flag()) },
    example: { dn: alice, password: 'correct horse battery', change: true },
    result: success(),
    permission: 'write',
    needs: ['setsPasswords'],
    run: async ({ dn, password, change = false }, call: BoundView & SessionEndingView) => {
      await setPassword(dn, { password, mustChange: change }, call);
      await endSessions(dn, call);
    },
  }),
  Check_User_Password: method({
    summary: 'Tells whether a password is right.',
    on: 'dn',
    params: { dn: dn(), password: password() },
    example: { dn: alice, password: 'correct horse battery' },
    result: boolean(),
    permission: 'read',
    run: ({ dn, password }, call: PasswordTrial) => checkPassword(dn, password, call),
  }),
} as const;

export const userMethods = {
  Get_User_DN: method({
    summary: 'Finds the DN of a user by a login name in a domain.',
    on: 'nothing',
    params: { username: text(), domain: text() },
    example: { username: 'alice', domain: 'Default' },
    result: name(),
    permission: 'read',
    needs: ['readsLogins'],
    isShortRead: true,
    run: ({ username, domain }, call: DomainView & { readonly memberships: Memberships }) =>
      findUser(call.directory, {
        username,
        domain: call.domains.get(domain),
        schema: call.config.schema,
        memberships: call.memberships,
        spelling: domain,
      }),
  }),
  Get_User_Domains: method({
    summary: 'Names the domains whose base holds a user.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: alice },
    result: strings(),
    permission: 'read',
    isShortRead: true,
    run: async ({ dn }, call: DomainView) => {
      await readExisting(call.directory, dn, ['1.1']);
      return call.domains.containing(dn).map((domain) => domain.name);
    },
  }),
  Get_User_Groups: method({
    summary: 'Finds the groups of a user.',
    on: 'dn',
    params: { dn: dn(), domain: text() },
    example: { dn: alice, domain: 'Default' },
    result: strings(),
    permission: 'read',
    needs: ['readsGroups'],
    isShortRead: true,
    run: async ({ dn, domain }, call: DomainView & DirectGroupsView) => {
      const groups = await findGroups(dn, call.domains.get(domain), call);
      return groups.map((group) => group.format());
    },
  }),
  Get_User_IDs: method({
    summary: 'Reads all login names of a user.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: alice },
    result: strings(),
    permission: 'read',
    needs: ['readsLogins'],
    isShortRead: true,
    run: ({ dn }, call: DomainView) => {
      const names = call.domains.containing(dn).flatMap((domain) => domain.loginAttributes);
      return loginNames(call.directory, dn, [...new Set([...call.config.schema.login_attributes, ...names])]);
    },
  }),
  Count_Domain_Users: method({
    summary:
      'Counts the users of a domain, with `active` only the activated ones; false for an unknown domain.',
    on: 'nothing',
    params: { domain: text(), active: optional(flag()) },
    example: { domain: 'Default', active: true },
    result: count(),
    permission: 'read',
    run: ({ domain, active = false }, call: EntryView & DomainView) => {
      const base = call.domains.find(domain)?.base;
      return base ? countUsers(call, { base, active }) : false;
    },
  }),
  Check_User_Active: method({
    summary: 'Tells whether a user counts against the licence.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: alice },
    result: boolean(),
    permission: 'read',
    isShortRead: true,
    run: ({ dn }, call: ActivationView) => isActive(dn, call),
  }),
} as const;

export const settingMethods = {
  Set_User_Settings: method({
    summary: 'Merges settings into those of a user or group; null removes one.',
    on: 'dn',
    params: { dn: dn(), settings: settingsByName() },
    example: { dn: alice, settings: { 'Otp.LoginMode': 'LDAPOTP', 'Otp.SecureMail': true } },
    result: success(),
    permission: 'write',
    needs: ['writesSettings'],
    run: ({ dn, settings }, call: EntryView & Words & WarningView) => setSettings(dn, settings, call),
  }),
  Get_User_Settings: method({
    summary:
      'Reads the settings in force for a user: defaults, groups, own. One that is asked for and has no value is left out; `dialect: deployed` answers it empty.',
    on: 'dn',
    params: { dn: dn(), settings: optional(settingNames()) },
    example: { dn: alice, settings: ['Otp.LoginMode'] },
    result: askedTexts(),
    permission: 'read',
    needs: ['readsSettings'],
    isShortRead: true,
    run: ({ dn, settings }, call: EntryView & LayerView) => settingsInForce(dn, settings, call),
  }),
  Set_User_Data: method({
    summary: 'Merges data into that of a user, each value in base64; null removes one.',
    on: 'dn',
    params: { dn: dn(), data: dataByName() },
    example: { dn: alice, data: { 'Otp.TokenType': 'VE9UUA==' } },
    result: success(),
    permission: 'write',
    needs: ['writesData'],
    run: ({ dn, data }, call: EntryView & DataWords) => setData(dn, data, call),
  }),
  Get_User_Data: method({
    summary:
      'Reads the data stored with a user, decrypted; by a role, secrets only where they are named in `data` and in its `read`.',
    on: 'dn',
    params: { dn: dn(), data: optional(list()) },
    example: { dn: alice, data: ['Otp.TokenType'] },
    result: mapOf(bytes()),
    // A write permission, because a caller that has read a token's secret can log in with it, as with the list of `List_Fetch`.
    permission: 'write',
    needs: ['readsData'],
    run: ({ dn, data }, call: SecretReadingView) => readData(dn, data, call),
  }),
} as const;
