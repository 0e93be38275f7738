/** SOAP 1.1 responses and faults, letter by letter as clients in the field expect them (webservices.md §2). */
import { errorTable, type ServiceError } from '../../errors/errors.ts';
import { escapeXml } from '../../text/xml.ts';
import type { Written } from '../fields.ts';
import { envelopeNamespace } from './request.ts';

export interface SoapResponse {
  /** The operation's name in this installation. */
  readonly operation: string;
  readonly namespace: string;
  readonly fields: Written;
}

export function writeSoap({ operation, namespace, fields }: SoapResponse): string {
  const content = fields.map(([name, value]) => element(name, contentOf(value))).join('');
  const opening = `ns1:${operation}Response xmlns:ns1="${escapeXml(namespace)}"`;
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

function contentOf(value: Written[number][1]): string {
  if (typeof value === 'object') return value.map((item) => element('String', escapeXml(item))).join('');
  return escapeXml(String(value));
}

const element = (name: string, content: string): string =>
  content === '' ? `<${name}/>` : `<${name}>${content}</${name}>`;
