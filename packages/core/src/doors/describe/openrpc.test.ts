import { validateOpenRPCDocument } from '@open-rpc/schema-utils-js';
import { describe, expect, it } from 'vitest';
import { bundled } from '../../applications/index.ts';
import { otp } from '../../applications/otp/index.ts';
import { reasons } from '../../foundation/errors/errors.ts';
import { Names } from '../../table/dialect.ts';
import { method } from '../../table/method.ts';
import { type JsonSchema, success } from '../../table/schema/index.ts';
import { MethodTable } from '../manager/methods.ts';
import { readParameters } from '../manager/parameters.ts';
import { openrpc } from './openrpc.ts';

const table = new MethodTable(bundled, new Names());
const published = { version: '1.2.3', url: 'https://localhost:4443/manag/' };
const document = openrpc(table, published);

describe('the OpenRPC document', () => {
  it('is valid by the OpenRPC meta-schema', () => {
    expect(validateOpenRPCDocument(document)).toBe(true);
  });

  it('would not be valid with a schema that is none: the validator looks', () => {
    const [first] = document.methods;
    const schema: JsonSchema = { type: 'nonsense' };
    const result = { name: 'result', required: true, schema };
    const methods = first ? [{ ...first, result }] : [];
    expect(validateOpenRPCDocument({ ...document, methods })).not.toBe(true);
  });

  it('names every method once, and its parameters in order', () => {
    expect(document.methods.map(({ name }) => name)).toEqual(table.all.map(({ name }) => name));
    const search = document.methods.find(({ name }) => name === 'Search_LDAP_Objects');
    expect(search?.params.map(({ name, required }) => [name, required])).toEqual([
      ['basedn', true],
      ['filter', false],
      ['scope', false],
      ['attrs', false],
    ]);
  });

  it('names every reason once, under codes that differ', () => {
    const errors = Object.values(document.components.errors);
    expect(new Set(errors.map(({ code }) => code)).size).toBe(errors.length);
    expect(errors.flatMap(({ data }) => data.map(({ reason }) => reason)).sort()).toEqual(
      [...reasons].sort(),
    );
  });

  it('follows the names of the installation', () => {
    const ping = method({
      summary: 'Answers.',
      on: 'nothing',
      params: {},
      result: success(),
      permission: 'read',
      run: () => {},
    });
    const renamed = new MethodTable({ Otp: { ...otp, methods: { Ping: ping } } }, new Names({ Otp: 'Acme' }));
    expect(openrpc(renamed, published).methods.at(-1)?.name).toBe('Acme.Ping');
  });
});

describe('the examples of the method table', () => {
  it.each(table.all.map(({ name, method }) => ({ name, method })))('$name: is accepted', ({ method }) => {
    const read = readParameters(method.params, method.example ?? {}, { refusesUnknown: true });
    expect(Object.keys(read)).toEqual(Object.keys(method.params));
  });
});
