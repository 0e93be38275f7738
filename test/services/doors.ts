/**
 * The ways in to any web service: SOAP, the four forms of REST, the typed client, and in process. Each answers the same fields,
 * typed as the rows of the operation table type them.
 */
import { createWebServices } from '@watchword/client';
import { bundled, type Service } from '@watchword/core';
import { createWebServiceHandler } from '@watchword/server-ws';
import { parseXml, type XmlElement } from '../../packages/core/src/doors/web/soap/xml-tree.ts';

type Value = string | number | boolean | readonly string[];
export type Fields = Readonly<Record<string, Value>>;
export type Answer = Readonly<Record<string, unknown>>;
/** @param operation its name on the wire: `sshkeyNSSList` */
export type Door = (operation: string, fields: Fields) => Promise<Answer>;

/** Who asks: a calling system that is trusted. */
export const system = '192.0.2.1';

const texts = (fields: Fields): [string, string][] =>
  Object.entries(fields).flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, String(one)]),
  );

const serviceOf = (operation: string): string => /^[a-z]+/.exec(operation)?.[0] ?? '';

/** `sshkeyNSSList` → `nssList`, as the types of the rows have it. */
const functionOf = (operation: string): string =>
  operation
    .slice(serviceOf(operation).length)
    .replace(/^[A-Z]+(?=[A-Z][a-z]|$)|^[A-Z]/, (start) => start.toLowerCase());

type Write = (operation: string, fields: Fields) => Request;

const at = (path: string, init?: RequestInit) => new Request(`https://localhost:8443/${path}`, init);

const rest: Readonly<Record<string, Write>> = {
  'REST, GET with a path': (operation, fields) =>
    at(`${serviceOf(operation)}/json/${operation}/?${new URLSearchParams(texts(fields))}`),
  'REST, GET with a method': (operation, fields) =>
    at(`${serviceOf(operation)}/json/?${new URLSearchParams([['method', operation], ...texts(fields)])}`),
  'REST, POST of a form': (operation, fields) =>
    at(`${serviceOf(operation)}/json/${operation}`, {
      method: 'POST',
      body: new URLSearchParams(texts(fields)),
    }),
  'REST, POST of JSON': (operation, fields) =>
    at(`${serviceOf(operation)}/json/${operation}/`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(fields) },
    }),
};

const soap: Write = (operation, fields) => {
  const parts = Object.entries(fields).map(([name, value]) => {
    const content = Array.isArray(value)
      ? value.map((one) => `<String>${escape(one)}</String>`).join('')
      : escape(String(value));
    return `<${name}>${content}</${name}>`;
  });
  const body = `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><o:${operation} xmlns:o="urn:${serviceOf(operation)}">${parts.join('')}</o:${operation}></e:Body></e:Envelope>`;
  return at(`${serviceOf(operation)}/`, {
    method: 'POST',
    headers: { 'content-type': 'text/xml; charset=utf-8' },
    body,
  });
};

const escape = (text: string): string => text.replace(/[&<>]/g, (c) => `&#${c.charCodeAt(0)};`);

export const doorNames = ['SOAP', ...Object.keys(rest), 'the typed client', 'in process'] as const;

export function openDoor(name: string, service: Pick<Service, 'web'>): Door {
  const handler = createWebServiceHandler(service);
  const send = (request: Request) => handler(request, { address: system, port: 40_000 });
  if (name === 'in process') return called(service.web);
  if (name === 'SOAP')
    return async (operation, fields) =>
      readAnswer(operation, await (await send(soap(operation, fields))).text());
  const write = rest[name];
  if (write)
    return async (operation, fields) => JSON.parse(await (await send(write(operation, fields))).text());
  const web = createWebServices({
    url: 'https://localhost:8443/',
    fetch: (url, request) => send(new Request(url, request)),
  });
  return async (operation, fields) => {
    const { outcome: _, ...answer } = await called(web)(operation, fields);
    return answer;
  };
}

/** The operations of an object that has them as functions. */
const called =
  (web: object): Door =>
  (operation, fields) => {
    const service: object = Reflect.get(web, serviceOf(operation));
    return Reflect.get(service, functionOf(operation)).call(service, fields);
  };

/** The answer in the envelope, in the types of its row. */
async function readAnswer(operation: string, envelope: string): Promise<Answer> {
  const [body] = (await parseXml(envelope, { depth: 20 })).children;
  const [response] = body?.children ?? [];
  const rows = Object.values(bundled).flatMap(({ operations }) =>
    Object.entries<{ response: object }>(operations),
  );
  const types = rows.find(([name]) => name === operation)?.[1].response ?? {};
  return Object.fromEntries(
    (response?.children ?? []).map((element) => [
      element.name,
      valueOf(element, Reflect.get(types, element.name)?.type),
    ]),
  );
}

function valueOf(element: XmlElement, type: string): unknown {
  const { text, children } = element;
  if (type === 'integer') return Number(text);
  if (type === 'boolean') return text === 'true';
  if (type === 'map') return mapOf(element);
  return type === 'maps' ? children.map(mapOf) : text;
}

/** What is known of it is what XML says: a list has `xsd:string` in it, and a number looks like one. */
const mapOf = ({ children }: XmlElement): object =>
  Object.fromEntries(
    children.map(({ children: [key, value] }) => {
      const { children: items = [], text = '' } = value ?? {};
      if (key?.text === 'members') return ['members', items.map((item) => item.text)];
      return [key?.text ?? '', /^[0-9]+$/.test(text) ? Number(text) : text];
    }),
  );
