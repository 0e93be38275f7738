/** SOAP 1.1 responses and faults, byte for byte as deployed clients expect them. */
import { errorTable, type ServiceError } from '../../../foundation/errors/errors.ts';
import { escapeXml } from '../../../foundation/text/xml.ts';
import type { WireMap, WireValue } from '../../../table/field.ts';
import type { Written } from '../fields.ts';
import { mapNamespace, schemaNamespace } from './namespaces.ts';
import { envelopeNamespace } from './request.ts';

export interface SoapResponse {
  /** The operation's name in this installation. */
  readonly operation: string;
  readonly namespace: string;
  readonly fields: Written;
}

export function writeSoap({ operation, namespace, fields }: SoapResponse): string {
  const all = Object.entries(fields);
  const content = all.map(([name, value]) => element(name, contentOf(value))).join('');
  const ours = `xmlns:ns1="${escapeXml(namespace)}"`;
  const types = all.some(([, value]) => isOfMaps(value))
    ? ` xmlns:ns2="${mapNamespace}" xmlns:xsd="${schemaNamespace}"`
    : '';
  const opening = `ns1:${operation}Response ${ours}${types}`;
  return envelope(`<${opening}>${content}</ns1:${operation}Response>`);
}

/** SOAP 1.1 §4.4; `detail` has the word that all interfaces have for the kind of error. */
export function writeFault({ reason, detail }: ServiceError): string {
  const { soap, message } = errorTable[reason];
  const sentence = detail === undefined ? message : `${message}: ${detail}`;
  return envelope(
    `<SOAP-ENV:Fault>${element('faultcode', `SOAP-ENV:${soap}`)}${element('faultstring', escapeXml(sentence))}${element('detail', element('reason', reason))}</SOAP-ENV:Fault>`,
  );
}

function envelope(content: string): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n<SOAP-ENV:Envelope xmlns:SOAP-ENV="${envelopeNamespace}"><SOAP-ENV:Body>${content}</SOAP-ENV:Body></SOAP-ENV:Envelope>\n`;
}

function contentOf(value: WireValue): string {
  if (typeof value !== 'object') return escapeXml(String(value));
  if (isMap(value)) return mapContent(value);
  return value
    .map((item) =>
      typeof item === 'string' ? element('String', escapeXml(item)) : element('ns2:Map', mapContent(item)),
    )
    .join('');
}

/** Writes a map as servers in the field do: the texts of a list in it are `xsd:string`. */
const mapContent = (map: WireMap): string =>
  Object.entries(map)
    .map(([key, value]) =>
      element('item', element('key', escapeXml(key)) + element('value', valueContent(value))),
    )
    .join('');

const valueContent = (value: WireMap[string]): string =>
  typeof value === 'object'
    ? value.map((item) => element('xsd:string', escapeXml(item))).join('')
    : escapeXml(String(value));

const isMap = (value: WireValue): value is WireMap => typeof value === 'object' && !Array.isArray(value);

const isOfMaps = (value: WireValue): boolean =>
  isMap(value) || (Array.isArray(value) && value.some((item) => typeof item === 'object'));

const element = (name: string, content: string): string =>
  content === '' ? `<${name}/>` : `<${name}>${content}</${name}>`;
