/** The rows of the method table for browsing the directory, our extension. */

import { matchAll } from '../../foundation/text/filter.ts';
import { method } from '../../table/method.ts';
import {
  choice,
  dn,
  filter,
  integer,
  optional,
  singleWord,
  string,
  text,
  written,
} from '../../table/schema/index.ts';
import type { BoundView, DomainView, EntryView, SchemaWords } from '../view.ts';
import { type ChildPage, entryKinds, listChildren } from './children.ts';
import { type ExportView, exportObjects } from './ldif.ts';
import { type FoundPerson, findPeople } from './people.ts';
import { classKinds, type DirectorySchema, readSchema, type SchemaView } from './schema.ts';

const people = 'ou=people,dc=example,dc=org';
const alice = `uid=alice,${people}`;

const plainText = { type: 'string' };
const name = { type: 'string', format: 'dn' };
const words = { type: 'array', items: plainText };
const listOf = (properties: object) => ({ type: 'array', items: { type: 'object', properties } });

const persons = written(
  listOf({
    dn: name,
    name: plainText,
    logins: words,
    mail: words,
    domains: words,
    active: { type: 'boolean', description: 'The user counts against the licence.' },
  }),
  (found: readonly FoundPerson[]) => found,
);

const childPage = written(
  {
    type: 'object',
    properties: {
      entries: listOf({ dn: name, kind: { enum: entryKinds }, name: plainText, classes: words }),
      next: {
        type: ['string', 'null'],
        description: 'The `start` of the next page; null: this was the last one.',
      },
    },
  },
  (page: ChildPage) => page,
);

const schema = written(
  {
    type: 'object',
    properties: {
      classes: listOf({
        ...{ name: plainText, kind: { enum: classKinds }, sup: words },
        must: { ...words, description: 'With those of the classes above it; `may` too.' },
        ...{ may: words, description: plainText },
      }),
      attributes: listOf({
        ...{ name: plainText, aliases: words },
        syntax: { ...plainText, description: 'OID of RFC 4517; empty where unknown.' },
        single: { type: 'boolean' },
        binary: { type: 'boolean', description: 'Its values are written in base64.' },
        readonly: { type: 'boolean', description: 'The directory keeps it itself.' },
        description: plainText,
      }),
    },
  },
  (found: DirectorySchema) => found,
);

export const browseMethods = {
  Find_Users: method({
    summary:
      'Finds users by what somebody types: those with exactly this login name first, then those with a login name, name, mail address or mobile number that begins so, in all domains. Attributes that the caller may not read find nobody.',
    on: 'nothing',
    params: { text: text(), max: optional(integer({ min: 1, max: 200 })) },
    example: { text: 'ali' },
    result: persons,
    permission: 'read',
    run: ({ text, max = 20 }, call: DomainView & EntryView) => findPeople({ text, max }, call),
  }),
  List_LDAP_Children: method({
    summary:
      'Lists the entries right below a directory object, a page at a time: with `start`, the page after the one that had it as `next`. A page may have fewer entries than `max`, or none, and a next page all the same.',
    on: 'container',
    params: {
      container: dn(),
      filter: optional(filter()),
      start: optional(singleWord()),
      max: optional(integer({ min: 1, max: 1000 })),
    },
    example: { container: people, max: 50 },
    result: childPage,
    permission: 'read',
    run: ({ container, filter = matchAll, start, max = 200 }, call: BoundView & SchemaWords) =>
      listChildren({ container, filter, start, max }, call),
  }),
  Export_LDAP_Objects: method({
    summary:
      'Writes directory objects as LDIF (RFC 2849): all that a search finds, with the attributes that the caller may read, without passwords and their hashes.',
    on: 'basedn',
    params: { basedn: dn(), scope: optional(choice('sub', 'base', 'one')), filter: optional(filter()) },
    example: { basedn: people, filter: '(objectClass=inetOrgPerson)' },
    result: string(),
    permission: 'read',
    run: ({ basedn, scope = 'sub', filter = matchAll }, call: ExportView) =>
      exportObjects({ base: basedn, scope, filter }, call),
  }),
  Get_Directory_Schema: method({
    summary:
      'Reads the object classes and attributes that there are in the directory of an object, for forms: what an entry of a class must and may have.',
    on: 'dn',
    params: { dn: dn() },
    example: { dn: alice },
    result: schema,
    permission: 'read',
    run: ({ dn }, call: SchemaView) => readSchema(dn, call),
  }),
} as const;
