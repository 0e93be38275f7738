/** A service `otp` for tests of the web services, with an operation that answers and remembers its request. */

import type { OperationCall, RowView } from '../../../applications/context/call.ts';
import { Answers } from '../../../doors/manager/answers.ts';
import { OwnMethods } from '../../../doors/manager/own-methods.ts';
import { WebDoor } from '../../../doors/web/door.ts';
import { ServiceError, tooLarge } from '../../../foundation/errors/errors.ts';
import type { WebRequest, WebResponse } from '../../../foundation/http/http.ts';
import type { Core } from '../../../service.ts';
import { application } from '../../../table/application.ts';
import { bytesField, flagField, integerField, listField, textField } from '../../../table/field.ts';
import { operation, type Values } from '../../../table/operation.ts';
import type { Page } from '../../../table/page.ts';

const fields = {
  username: textField,
  domain: textField,
  password: textField,
  timeout: integerField,
  sendPush: flagField,
  file: bytesField,
  mobile: listField,
};

export type Echoed = Values<typeof fields>;

export interface Echo {
  /** Sends a request to `https://login.example.org:8443` followed by the path. */
  ask(path: string, asking?: WebAsking): Promise<WebResponse>;
  readonly door: WebDoor;
  /** Returns the requests since the last call. */
  taken(): Echoed[];
  readonly calls: OperationCall[];
}

export interface WebAsking {
  readonly method?: string;
  readonly body?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** @param options.body most bytes of a further operation, `otpLarge`; `before` is called before either answers */
export function openEcho(
  core: Core,
  pages: Readonly<Record<string, Page<RowView>>> = {},
  { body, before }: { readonly body?: number; readonly before?: () => void } = {},
): Echo {
  let seen: Echoed[] = [];
  const calls: OperationCall[] = [];
  const otpEcho = operation({
    summary: 'Answers <what> it is asked.',
    request: fields,
    response: { code: integerField, error: textField, ...fields },
    refuse: (error) => ({ code: 0, error: error instanceof ServiceError ? error.reason : 'unknown' }),
    run: async (request, call: OperationCall) => {
      seen.push(request);
      calls.push(call);
      before?.();
      if (request.username === 'break') throw new Error('/etc/secret is broken');
      return { code: 1, error: '', ...request };
    },
  });
  const plain = { settings: {}, publicData: [], methods: {} };
  const otp = application({
    ...plain,
    name: 'Otp',
    service: 'otp',
    operations: { otpEcho, ...(body !== undefined && { otpLarge: { ...otpEcho, body } }) },
    pages,
  });
  const sso = application({ ...plain, name: 'Sso', service: 'sso', operations: {} });
  const door = new WebDoor(
    { ...core, applications: { Otp: otp, Sso: sso } },
    new OwnMethods(core, new Answers(core)).of,
  );
  return {
    ask: (path, asking) => door.answer(webRequest(path, asking)),
    door,
    taken: () => {
      const taken = seen;
      seen = [];
      return taken;
    },
    calls,
  };
}

/** POST if there is a body, else GET; from 192.0.2.1:40000. */
export function webRequest(path: string, { body, method, headers = {} }: WebAsking = {}): WebRequest {
  return {
    method: method ?? (body === undefined ? 'GET' : 'POST'),
    url: new URL(path, 'https://login.example.org:8443'),
    headers: new Headers(headers),
    body: async (most) => {
      const bytes = typeof body === 'string' ? Buffer.from(body) : (body ?? new Uint8Array());
      if (bytes.length > most) throw tooLarge(most);
      return bytes;
    },
    address: '192.0.2.1',
    port: 40_000,
  };
}

/** A SOAP 1.1 envelope around the content of its body, and perhaps of a header. */
export function envelopeOf(body: string, header = ''): string {
  return `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/">${header}<s:Body>${body}</s:Body></s:Envelope>`;
}
