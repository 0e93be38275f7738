/** Programs in the field that speak to the web services, each as one function: an operation, its fields, the answer. */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

export interface Server {
  /** Ends with a slash. */
  readonly url: string;
  /** The file of its authority. */
  readonly ca: string;
}

/** A list is what the field of the WSDL is: an element with several `String`. */
export type Fields = Readonly<Record<string, string | null | { readonly String: readonly string[] }>>;
export type Answer = Readonly<Record<string, unknown>>;
export type Client = (operation: string, fields: Fields, server: Server) => Promise<Answer>;

const run = promisify(execFile);

/** Runs a program with a text on its stdin and reads JSON from its stdout. */
async function ask(program: string, args: readonly string[], input = ''): Promise<Answer> {
  const env = { PATH: process.env.PATH, NODE_EXTRA_CA_CERTS: caOf(input) };
  const running = run(program, args, { env, timeout: 250_000 });
  running.child.stdin?.end(input);
  const { stdout } = await running;
  return JSON.parse(stdout || 'null');
}

const caOf = (input: string): string => (input === '' ? '' : JSON.parse(input).ca);

const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

const soapCall = ({ url, ca }: Server, operation: string, fields: Fields) =>
  JSON.stringify({
    wsdl: `${url}${serviceOf(operation)}?wsdl`,
    ca,
    operation,
    fields,
    arguments: Object.values(fields),
  });

/** `otpNormalLogin` → `otp` */
const serviceOf = (operation: string): string => /^[a-z]+/.exec(operation)?.[0] ?? '';

const given = (fields: Fields) =>
  Object.entries(fields).flatMap(([name, value]) => (value === null ? [] : [[name, value] as const]));

/** In a query and a form a list is a name that stands there several times. */
const texts = (fields: Fields) =>
  given(fields).flatMap(([name, value]) =>
    (typeof value === 'string' ? [value] : value.String).map((text) => [name, text] as const),
  );

const curl = (ca: string, args: readonly string[]) => ask('curl', ['-sS', '--cacert', ca, ...args]);

const encoded = (fields: Fields) =>
  texts(fields).flatMap(([name, value]) => ['--data-urlencode', `${name}=${value}`]);

/** By position, with null for what is left out. */
const php: Client = (operation, fields, server) =>
  ask('php', [script('soap.php')], soapCall(server, operation, fields));

const zeep: Client = (operation, fields, server) =>
  ask(
    '/usr/bin/python3',
    [script('soap.py')],
    soapCall(server, operation, Object.fromEntries(given(fields))),
  );

const strongSoap: Client = (operation, fields, server) =>
  ask(process.execPath, [script('soap.mjs')], soapCall(server, operation, Object.fromEntries(given(fields))));

export const soapClients: Readonly<Record<string, Client>> = {
  'PHP SoapClient': php,
  'Python zeep': zeep,
  'strong-soap': strongSoap,
};

/** Clients of the REST interface. */
export const restClients: Readonly<Record<string, Client>> = {
  'curl, GET with a path': (operation, fields, { url, ca }) =>
    curl(ca, ['-G', ...encoded(fields), `${url}${serviceOf(operation)}/json/${operation}/`]),
  'curl, GET with a method': (operation, fields, { url, ca }) =>
    curl(ca, ['-G', ...encoded({ method: operation, ...fields }), `${url}${serviceOf(operation)}/json/`]),
  'curl, POST of a form': (operation, fields, { url, ca }) =>
    curl(ca, [...encoded({ '': '', ...fields }), `${url}${serviceOf(operation)}/json/${operation}/`]),
  'curl, POST of a form in parts': (operation, fields, { url, ca }) => {
    const parts = texts(fields).flatMap(([name, value]) => ['--form-string', `${name}=${value}`]);
    return curl(ca, [
      '--form-string',
      'method=',
      ...parts,
      `${url}${serviceOf(operation)}/json/${operation}/`,
    ]);
  },
  'curl, POST of JSON': (operation, fields, { url, ca }) => {
    const json = Object.fromEntries(
      Object.entries(fields).map(([name, value]) => [
        name,
        typeof value === 'object' && value !== null ? value.String : value,
      ]),
    );
    const body = ['-H', 'Content-Type: application/json', '-d', JSON.stringify(json)];
    return curl(ca, [...body, `${url}${serviceOf(operation)}/json/${operation}/`]);
  },
};
