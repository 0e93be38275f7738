/** A SOAP 1.1 request, style rpc: the operation and its parameters, with the tolerance that clients in the field need. */
import { ServiceError } from '../../../foundation/errors/errors.ts';
import type { Given } from '../fields.ts';
import { parseXml, type XmlElement, type XmlLimits } from './xml-tree.ts';

export const envelopeNamespace = 'http://schemas.xmlsoap.org/soap/envelope/';

/** Those of 1999 and 2000 were drafts, and some clients still send them; there `nil` was `null`. */
const schemaInstances = ['2001', '1999', '2000/10'].map(
  (year) => `http://www.w3.org/${year}/XMLSchema-instance`,
);

export interface SoapRequest {
  /** The local name, in the caller's spelling. */
  readonly operation: string;
  readonly given: Given;
}

/** @throws ServiceError `parse_error`, `invalid_request`, `too_large`, `version_mismatch`, `must_understand` */
export async function readSoap(text: string, limits: XmlLimits): Promise<SoapRequest> {
  const envelope = await parseXml(text, limits);
  if (envelope.name !== 'Envelope') malformed('the body is not a SOAP envelope');
  if (envelope.namespace !== envelopeNamespace) throw new ServiceError('version_mismatch');
  const parts = envelope.children.filter(({ namespace }) => namespace === envelopeNamespace);
  for (const header of parts.filter(({ name }) => name === 'Header')) checkHeader(header);
  const [operation, ...more] = parts.find(({ name }) => name === 'Body')?.children ?? [];
  if (!operation) return malformed('the SOAP body is empty');
  // The others would be the values of references (SOAP 1.1 §5.4.1), which belong to use="encoded".
  if (more.length > 0) malformed('the SOAP body has more than one element');
  return {
    operation: operation.name,
    given: operation.children.map((child) => [child.name, valueOf(child)]),
  };
}

/** SOAP 1.1 §4.2: a header that must be understood is refused if it is meant for us. */
function checkHeader({ children }: XmlElement): void {
  for (const header of children) {
    const actor = attribute(header, envelopeNamespace, 'actor');
    const isForUs =
      actor === undefined || actor === '' || actor === 'http://schemas.xmlsoap.org/soap/actor/next';
    if (isForUs && isTrue(attribute(header, envelopeNamespace, 'mustUnderstand')))
      throw new ServiceError('must_understand', { detail: header.name.slice(0, 64) });
  }
}

/** The text; of `<mobile><String>…</String></mobile>`, the texts; of what is nil, nothing. */
function valueOf(element: XmlElement): unknown {
  if (element.attributes.some(({ name, namespace }) => name === 'href' && namespace === ''))
    malformed('references between elements are not supported');
  if (isNil(element)) return undefined;
  if (element.children.length === 0) return element.text;
  return element.children.map((child) => (child.children.length === 0 ? child.text : undefined));
}

const isNil = (element: XmlElement): boolean =>
  schemaInstances.some((uri) => isTrue(attribute(element, uri, 'nil') ?? attribute(element, uri, 'null')));

const isTrue = (value: string | undefined): boolean => /^\s*(?:true|1)\s*$/.test(value ?? '');

function attribute(element: XmlElement, namespace: string, name: string): string | undefined {
  return element.attributes.find((one) => one.name === name && one.namespace === namespace)?.value;
}

function malformed(detail: string): never {
  throw new ServiceError('invalid_request', { detail });
}
