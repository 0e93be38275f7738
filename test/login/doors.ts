/**
 * The ways in to the web services: SOAP, the four forms of REST, the typed client, and in process. Each answers the
 * same fields.
 */
import { createWebServices } from '@watchword/client';
import type { Service, WebCalls } from '@watchword/core';
import { createWebServiceHandler } from '@watchword/server-ws';

export type Operation = 'normalLogin' | 'simpleLogin' | 'login' | 'challenge' | 'pkiLogin' | 'status';
export type Fields = Readonly<Record<string, string>>;
export type Answer = Readonly<Record<string, unknown>>;
export type Door = (operation: Operation, fields: Fields) => Promise<Answer>;

/** @param word what the installation calls the service */
type OpenDoor = (service: Pick<Service, 'web'>, word?: string) => Door;

/** How a request is put into HTTP, and an answer read out of it. */
interface Form {
  /** @param named the operation's name on the wire, of the service `word` */
  write(named: Named, fields: Fields): Request;
  read(body: string): Answer;
}

interface Named {
  readonly name: string;
  readonly word: string;
}

const requestTo = (path: string, init?: RequestInit) => new Request(`https://localhost:8443${path}`, init);

/** A request of REST; its answer is JSON in every form. */
const rest = (write: Form['write']): Form => ({ write, read: (body) => JSON.parse(body) });

const forms: Readonly<Record<string, Form>> = {
  SOAP: {
    write: ({ name, word }, fields) => {
      const parts = Object.entries(fields).map(([field, value]) => `<${field}>${escape(value)}</${field}>`);
      const body = `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><o:${name} xmlns:o="urn:${word}">${parts.join('')}</o:${name}></e:Body></e:Envelope>`;
      const headers = { 'content-type': 'text/xml; charset=utf-8', soapaction: `"${name}"` };
      return requestTo(`/${word}/`, { method: 'POST', headers, body });
    },
    read: fieldsOf,
  },

  'REST, GET with a path': rest(({ name, word }, fields) =>
    requestTo(`/${word}/json/${name}/?${new URLSearchParams(fields)}`),
  ),

  'REST, GET with a method': rest(({ name, word }, fields) =>
    requestTo(`/${word}/json/?${new URLSearchParams({ method: name, ...fields })}`),
  ),

  'REST, POST of a form': rest(({ name, word }, fields) =>
    requestTo(`/${word}/json/${name}`, { method: 'POST', body: new URLSearchParams(fields) }),
  ),

  'REST, POST of JSON': rest(({ name, word }, fields) => {
    const headers = { 'content-type': 'application/json' };
    return requestTo(`/${word}/json/${name}/`, { method: 'POST', headers, body: JSON.stringify(fields) });
  }),
};

/** The answers as they are on the wire, by form. */
export const wires: Readonly<Record<string, (...at: Parameters<OpenDoor>) => Wire>> = mapValues(
  forms,
  ({ write }) =>
    (service, word = 'otp') => {
      const send = senderTo(service);
      return (operation, fields) => send(write({ name: wireName(operation, word), word }, fields));
    },
);

export type Wire = (operation: Operation, fields: Fields) => Promise<Response>;

export const doors: Readonly<Record<string, OpenDoor>> = {
  ...mapValues(forms, ({ read }, form): OpenDoor => {
    return (service, word) => {
      const wire = wires[form]?.(service, word);
      return async (operation, fields) => read((await (await wire?.(operation, fields))?.text()) ?? '');
    };
  }),

  'the typed client': (service, word = 'otp') => {
    const send = senderTo(service);
    const web = createWebServices({
      url: 'https://localhost:8443/',
      fetch: (url, request) => send(new Request(url, request)),
      names: { otp: word },
    });
    return onWire(callsOf(web));
  },

  'in process': ({ web }) => callsOf(web),
};

/** The operations of an object that has them as functions. */
export function callsOf({ otp }: { readonly otp: Pick<WebCalls['otp'], Operation> }): Door {
  return async (operation, fields) => (operation === 'status' ? otp.status() : otp[operation](fields));
}

/** The typed client's answers without the word that it adds to them. */
export function onWire(door: Door): Door {
  return async (operation, fields) => {
    const { outcome: _, ...answer } = await door(operation, fields);
    return answer;
  };
}

/** `otpNormalLogin`, and of an abbreviation all letters large: `otpPKILogin`. */
const wireName = (operation: Operation, word: string): string =>
  word + operation.replace(/^(?:pki|[a-z])/, (start) => start.toUpperCase());

function senderTo(service: Pick<Service, 'web'>) {
  const handler = createWebServiceHandler(service);
  return (request: Request) => handler(request, { address: '192.0.2.1', port: 40_000 });
}

function mapValues<A, B>(of: Readonly<Record<string, A>>, write: (value: A, key: string) => B) {
  return Object.fromEntries(Object.entries(of).map(([key, value]) => [key, write(value, key)]));
}

const escape = (text: string): string =>
  text.replace(/[&<>]/g, (c) => (c === '&' ? '&amp;' : c === '<' ? '&lt;' : '&gt;'));

const integers = new Set(['code', 'concat', 'timeout']);

/** The fields of a response envelope, which has no attributes and nothing within its fields. */
function fieldsOf(envelope: string): Answer {
  const [, content = ''] = /<ns1:\w+Response[^>]*>(.*)<\/ns1:\w+Response>/s.exec(envelope) ?? [];
  const found = [...content.matchAll(/<(\w+)(?:\/>|>([^<]*)<\/\1>)/g)];
  return Object.fromEntries(found.map(([, name = '', text = '']) => [name, valueOf(name, text)]));
}

function valueOf(name: string, text: string): string | number | boolean {
  if (name === 'status') return text === 'true';
  return integers.has(name) ? Number(text) : unescape(text);
}

const unescape = (text: string): string =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
