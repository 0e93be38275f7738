/** The WSDL against the operation table; that clients can use it, `test/web-clients` shows. */
import { expect, it } from 'vitest';
import { bundled } from '../../applications/index.ts';
import { application } from '../../table/application.ts';
import { Names } from '../../table/dialect.ts';
import { listField, textField } from '../../table/field.ts';
import { operation } from '../../table/operation.ts';
import { OperationTable } from './operations.ts';
import { parseXml, type XmlElement } from './soap/xml-tree.ts';
import { wsdl } from './wsdl.ts';

const attribute = ({ attributes }: XmlElement, name: string) =>
  attributes.find((one) => one.name === name)?.value;
const find = ({ children }: XmlElement, name: string) => children.filter((child) => child.name === name);

const service = new OperationTable(bundled, new Names({})).find('otp');
if (!service) throw new Error('there is no otp service');
const document = await parseXml(wsdl(service, 'https://login.example.org:8443/otp/?a=1&b="'), { depth: 10 });

it('has every operation, its fields in order with their types', () => {
  const messages = new Map(
    find(document, 'message').map((message) => [
      attribute(message, 'name'),
      find(message, 'part').map((part) => [attribute(part, 'name'), attribute(part, 'type')]),
    ]),
  );
  expect(messages.size).toBe(service.operations.length * 2);
  expect(messages.get('otpNormalLoginRequest')?.slice(0, 4)).toEqual([
    ['username', 'xsd:string'],
    ['domain', 'xsd:string'],
    ['ldapPassword', 'xsd:string'],
    ['otpPassword', 'xsd:string'],
  ]);
  expect(messages.get('otpNormalLoginResponse')?.map(([name]) => name)).toEqual([
    ...['code', 'error', 'message', 'session', 'username', 'domain', 'data', 'concat', 'timeout'],
    ...['otpChallenge', 'u2fChallenge', 'offlineState', 'u2fDataState'],
  ]);
  expect(messages.get('otpChallengeRequest')).toContainEqual(['voiceSample', 'xsd:base64Binary']);
  expect(messages.get('otpStatusResponse')).toEqual([
    ['status', 'xsd:boolean'],
    ['message', 'xsd:string'],
  ]);
});

it('is rpc/literal, with the operation as SOAPAction and the location that it is given', () => {
  const [binding] = find(document, 'binding');
  const operations = binding ? find(binding, 'operation') : [];
  expect(operations.map((one) => attribute(one, 'name'))).toEqual(service.operations.map(({ name }) => name));
  for (const one of operations) {
    const [soapOperation, input] = one.children;
    expect(soapOperation && attribute(soapOperation, 'soapAction')).toBe(attribute(one, 'name'));
    const body = input?.children[0];
    expect(body && [attribute(body, 'use'), attribute(body, 'namespace')]).toEqual(['literal', 'urn:otp']);
  }
  const address = find(document, 'service')[0]?.children[0]?.children[0];
  expect(address && attribute(address, 'location')).toBe('https://login.example.org:8443/otp/?a=1&b="');
});

it('has a type for lists where there are lists', () => {
  const smsSend = operation({
    summary: 'Sends.',
    request: { mobile: listField },
    response: { message: textField },
    refuse: () => ({}),
    run: async () => ({}),
  });
  const plain = { settings: {}, publicData: [], methods: {} };
  const sms = application({ ...plain, name: 'Sms', service: 'sms', operations: { smsSend } });
  const [named] = new OperationTable({ Sms: sms }, new Names({})).services;
  const text = named ? wsdl(named, 'https://x/') : '';
  expect(text).toContain('<part name="mobile" type="tns:Strings"/>');
  expect(text).toContain('<xsd:complexType name="Strings">');
});
