/** SOAP 1.1, rpc/literal: a format of the web services. The header SOAPAction is ignored, as the body names the operation. */
import { noStoreHeaders, type WireFormat } from '../exchange.ts';
import { namedOrPlaced } from '../fields.ts';
import { decodeXml } from './encoding.ts';
import { readSoap } from './request.ts';
import { writeFault, writeSoap } from './response.ts';

export const soap: WireFormat = {
  read: async (request, { service }, limits) => {
    const body = await request.body(limits.body);
    const text = decodeXml(body, request.headers.get('content-type') ?? '');
    const { operation: name, given } = await readSoap(text, limits);
    const operation = service.find(name);
    return { operation, given: namedOrPlaced(operation.operation.request, given), bytes: body.length };
  },
  write: (answer, { operation: { name, writeFields } }, { namespace }) =>
    xml(200, writeSoap({ operation: name, namespace, fields: writeFields(answer) })),
  // SOAP 1.1 §6.2: a fault is always 500; only a caller that may not call at all is refused by HTTP.
  writeError: (error) => xml(error.reason === 'credentials_refused' ? 401 : 500, writeFault(error)),
};

const xml = (status: number, body: string) => ({
  status,
  headers: noStoreHeaders('text/xml; charset=utf-8'),
  body,
});
