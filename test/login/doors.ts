/**
 * The ways in to the web services: SOAP, the four forms of REST, the typed client, and in process. Each answers the
 * same fields.
 */
import { createWebServices } from '@watchword/client';
import type { Service } from '@watchword/core';
import { createWebServiceHandler } from '@watchword/server-ws';

export type Operation = 'normalLogin' | 'simpleLogin' | 'login' | 'challenge';
export type Fields = Readonly<Record<string, string>>;
export type Answer = Readonly<Record<string, unknown>>;
export type Door = (operation: Operation, fields: Fields) => Promise<Answer>;

type OpenDoor = (service: Pick<Service, 'web'>) => Door;

export const doors: Readonly<Record<string, OpenDoor>> = {
  SOAP: (service) => {
    const send = senderTo(service);
    return async (operation, fields) => {
      const name = wireName(operation);
      const parts = Object.entries(fields).map(([field, value]) => `<${field}>${escape(value)}</${field}>`);
      const body = `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><o:${name} xmlns:o="urn:otp">${parts.join('')}</o:${name}></e:Body></e:Envelope>`;
      const headers = { 'content-type': 'text/xml; charset=utf-8', soapaction: `"${name}"` };
      return fieldsOf(await (await send('/otp/', { method: 'POST', headers, body })).text());
    };
  },

  'REST, GET with a path': (service) => {
    const send = senderTo(service);
    return async (operation, fields) =>
      json(send(`/otp/json/${wireName(operation)}/?${new URLSearchParams(fields)}`));
  },

  'REST, GET with a method': (service) => {
    const send = senderTo(service);
    return async (operation, fields) =>
      json(send(`/otp/json/?${new URLSearchParams({ method: wireName(operation), ...fields })}`));
  },

  'REST, POST of a form': (service) => {
    const send = senderTo(service);
    return async (operation, fields) =>
      json(send(`/otp/json/${wireName(operation)}`, { method: 'POST', body: new URLSearchParams(fields) }));
  },

  'REST, POST of JSON': (service) => {
    const send = senderTo(service);
    const headers = { 'content-type': 'application/json' };
    return async (operation, fields) => {
      const body = JSON.stringify(fields);
      return json(send(`/otp/json/${wireName(operation)}/`, { method: 'POST', headers, body }));
    };
  },

  'the typed client': (service) => {
    const send = senderTo(service);
    const web = createWebServices({
      url: 'https://localhost:8443/',
      fetch: (url, request) => send(new URL(url).pathname, request),
    });
    return async (operation, fields) => web.otp[operation](fields);
  },

  'in process':
    ({ web }) =>
    async (operation, fields) =>
      web.otp[operation](fields),
};

const wireName = (operation: Operation): string => `otp${operation[0]?.toUpperCase()}${operation.slice(1)}`;

function senderTo(service: Pick<Service, 'web'>) {
  const handler = createWebServiceHandler(service);
  return (path: string, init: RequestInit = {}): Promise<Response> =>
    handler(new Request(`https://localhost:8443${path}`, init), { address: '192.0.2.1', port: 40_000 });
}

async function json(response: Promise<Response>): Promise<Answer> {
  return (await (await response).json()) as Answer;
}

const escape = (text: string): string =>
  text.replace(/[&<>]/g, (c) => (c === '&' ? '&amp;' : c === '<' ? '&lt;' : '&gt;'));

const integers = new Set(['code', 'concat', 'timeout']);

/** The fields of a response envelope, which has no attributes and nothing within its fields (webservices.md §2). */
function fieldsOf(envelope: string): Answer {
  const [, content = ''] = /<ns1:\w+Response[^>]*>(.*)<\/ns1:\w+Response>/s.exec(envelope) ?? [];
  const found = [...content.matchAll(/<(\w+)(?:\/>|>([^<]*)<\/\1>)/g)];
  return Object.fromEntries(
    found.map(([, name = '', text = '']) => [name, integers.has(name) ? Number(text) : text]),
  );
}
