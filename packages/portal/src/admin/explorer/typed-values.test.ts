/** Forms out of the real descriptions: every method's example comes back out of its own form as it went in. */
import { describe, expect, it } from 'vitest';
import description from '../../../../../docs/reference/openrpc.json' with { type: 'json' };
import { kindOf, readTyped, typedExample } from './typed-values.ts';

describe('the form of a method', () => {
  it('reads each example back as it stands in the table', () => {
    const read = description.methods.map((method) => readTyped(method.params, typedExample(method)));
    const examples = description.methods.map(({ examples }) => ({
      params: Object.fromEntries((examples[0]?.params ?? []).map(({ name, value }) => [name, value])),
    }));
    expect(read).toEqual(examples);
  });

  it('has a field for each kind of value', () => {
    const kinds = (name: string) =>
      description.methods.find((method) => method.name === name)?.params.map(kindOf);
    expect(kinds('Set_User_Attrs')).toEqual(['text', 'json', 'flag']);
    expect(kinds('Search_LDAP_Objects')).toEqual(['text', 'text', 'text', 'lines']);
    expect(kinds('Sign_certificate_Request')).toEqual(['long text', 'number']);
  });

  it('says what is missing and what is no value', () => {
    const [params = []] = description.methods
      .filter(({ name }) => name === 'Set_User_Attrs')
      .map((method) => method.params);
    expect(readTyped(params, { attrs: '{' })).toEqual({ problems: { dn: 'missing', attrs: 'no JSON' } });
    const sign = description.methods.find(({ name }) => name === 'Sign_certificate_Request')?.params ?? [];
    expect(readTyped(sign, { request: 'x', expires: '9o' })).toEqual({ problems: { expires: 'no number' } });
  });
});
