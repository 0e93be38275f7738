/** Every door that logs people in, behind one interface, for tests. Each names the source files that it covers. */
import { hash, randomBytes } from 'node:crypto';
import { open } from '../../applications/self-service/testing/pages.ts';
import type { WebRequest } from '../../foundation/http/http.ts';
import type { Fixture } from '../../testing/bed/fixture.ts';
import { OpenIdBrowser } from '../../testing/bed/openid-browser.ts';

export const browserAddress = '198.51.100.7';
const origin = 'https://localhost:8443';

/** First request of a person: both in one. */
export interface First {
  readonly password?: string | undefined;
  readonly code?: string | undefined;
}

/** Request of a person whom a door asks for more. */
export interface Later {
  readonly code?: string | undefined;
  readonly signed?: string | undefined;
}

/** `devices`: what a device is to sign, base64. */
export type Step =
  | 'granted'
  | 'refused'
  | { readonly devices: string | undefined; answer(later: Later): Promise<Step> };

export interface Door {
  readonly name: string;
  /** Source files below `packages/core/src` that judge logins for it. */
  readonly files: readonly string[];
  /** The client of its policy. */
  readonly client: string;
  /** Takes the password and the code in one text. */
  readonly isConcatenated?: true;
  /** Answers no challenge. */
  readonly asksNothing?: true;
  /** Whether a link stands in for the password. */
  readonly isLink?: true;
  /** The two-factor mode that it demands beside the policy. */
  demands?(first: First): 'LDAPOTP' | 'LDAPU2F' | 'LDAPMFA' | undefined;
  begin(username: string, first: First): Promise<Step>;
}

/** @param node with `openid_clients.wiki`, and a portal by `OTP` @param portals by their `admin_auth` */
export const doorsAt = (node: Fixture, portals: Readonly<Record<'OTP' | 'U2F' | 'MFA', Fixture>>): Door[] => [
  webService('REST', rest(node)),
  webService('SOAP', soap(node)),
  webService('in process', (operation, fields) =>
    node.service.web.otp[operation]({ ...fields, client: 'app' } as never),
  ),
  simpleLogin(node),
  ownPage(node),
  resetLink(node),
  ldapBind(node),
  openIdPage(node),
  portal(portals.OTP, 'OTP', 'LDAPOTP'),
  portal(portals.U2F, 'U2F', 'LDAPU2F'),
  portal(portals.MFA, 'MFA', 'LDAPMFA'),
];

type Fields = Readonly<Record<string, string | undefined>>;
type Ask = (operation: 'normalLogin' | 'challenge', fields: Fields) => Promise<object>;

const asked = (path: string, body: string, type: string): WebRequest => ({
  ...{ method: 'POST', url: new URL(path, origin), address: browserAddress, port: 40_000 },
  headers: new Headers({ 'content-type': type, 'sec-fetch-site': 'same-origin' }),
  body: async () => Buffer.from(body),
});

const rest =
  (node: Fixture): Ask =>
  async (operation, fields) => {
    const name = operation === 'challenge' ? 'otpChallenge' : 'otpNormalLogin';
    const body = JSON.stringify({ ...fields, client: 'app' });
    const response = await node.service.web.answer(asked(`/otp/json/${name}/`, body, 'application/json'));
    return JSON.parse(String(response.body));
  };

const soap =
  (node: Fixture): Ask =>
  async (operation, fields) => {
    const name = operation === 'challenge' ? 'otpChallenge' : 'otpNormalLogin';
    const parts = Object.entries({ ...fields, client: 'app' }).flatMap(([field, text]) =>
      text === undefined
        ? []
        : `<${field}>${text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')}</${field}>`,
    );
    const body = `<e:Envelope xmlns:e="http://schemas.xmlsoap.org/soap/envelope/"><e:Body><o:${name} xmlns:o="urn:otp">${parts.join('')}</o:${name}></e:Body></e:Envelope>`;
    const xml = String((await node.service.web.answer(asked('/otp/', body, 'text/xml'))).body);
    const fieldsIn = [...xml.matchAll(/<(\w+)>([^<]*)<\/\1>/g)].map(([, field, text]) => [field, text]);
    const answer = Object.fromEntries(fieldsIn);
    const { u2fChallenge } = answer;
    return {
      ...answer,
      code: Number(answer.code),
      ...(u2fChallenge && { u2fChallenge: u2fChallenge.replaceAll('&quot;', '"') }),
    };
  };

interface Told {
  readonly code?: number;
  readonly session?: string;
  readonly u2fChallenge?: string;
}

/** The challenge to a device, in the JSON of the web services. */
const challengeIn = (u2fChallenge: string | undefined): string | undefined =>
  u2fChallenge === undefined ? undefined : JSON.parse(u2fChallenge).challenge;

function stepOf(result: Told, answer: (session: string, later: Later) => Promise<Step>): Step {
  if (result.code === 1) return 'granted';
  const { session } = result;
  if (result.code !== 2 || session === undefined) return 'refused';
  return { devices: challengeIn(result.u2fChallenge), answer: (later) => answer(session, later) };
}

function webService(name: string, ask: Ask): Door {
  const answerOf =
    (username: string) =>
    async (session: string, { code, signed }: Later): Promise<Step> => {
      const fields = { username, session, otpPassword: code, u2fResponse: signed };
      return stepOf(await ask('challenge', fields), answerOf(username));
    };
  return {
    ...{ name, files: ['applications/otp/operations.ts'], client: 'app' },
    begin: async (username, { password, code }) => {
      const fields = { username, ldapPassword: password, otpPassword: code };
      return stepOf(await ask('normalLogin', fields), answerOf(username));
    },
  };
}

const inOne = ({ password = '', code = '' }: First): string => `${password}${code}`;

function simpleLogin(node: Fixture): Door {
  const { challenge, simpleLogin: ask } = node.service.web.otp;
  const later =
    (username: string) =>
    async (session: string, { code, signed }: Later) =>
      stepOf(
        await challenge({
          ...{ username, session },
          ...(code !== undefined && { otpPassword: code }),
          ...(signed !== undefined && { u2fResponse: signed }),
        }),
        later(username),
      );
  return {
    ...{ name: 'one text', files: ['applications/otp/operations.ts'], client: 'app', isConcatenated: true },
    begin: async (username, first) =>
      stepOf(await ask({ username, anyPassword: inOne(first), client: 'app' }), later(username)),
  };
}

interface PageTold {
  readonly kind?: string;
  readonly session?: string;
  readonly u2fChallenge?: string;
}

/** A page that sends JSON and is answered JSON. */
function jsonPage(send: (shown: Fields) => Promise<PageTold>): Pick<Door, 'begin'> {
  const follow = async (username: string, shown: Fields): Promise<Step> => {
    const { kind, session = '', u2fChallenge } = await send({ username, ...shown });
    if (kind === 'signed-in') return 'granted';
    if (kind !== 'challenge') return 'refused';
    return {
      devices: challengeIn(u2fChallenge),
      answer: ({ code, signed }) => follow(username, { session, otp: code, u2fResponse: signed }),
    };
  };
  return { begin: (username, { password, code }) => follow(username, { password, otp: code }) };
}

const ownPage = (node: Fixture): Door => ({
  ...{ name: '/self/', files: ['applications/self-service/desk/login.ts'], client: 'SelfDesk' },
  demands: ({ code }) => (code === undefined ? undefined : 'LDAPOTP'),
  ...jsonPage(async (shown) => {
    const request = asked('/self/session', JSON.stringify(shown), 'application/json');
    return JSON.parse(String((await node.service.web.answer(request)).body));
  }),
});

const portal = (node: Fixture, admin_auth: string, mode: 'LDAPOTP' | 'LDAPU2F' | 'LDAPMFA'): Door => ({
  ...{ name: `portal, ${admin_auth}`, files: ['doors/manager/portal/sign-in.ts'], client: 'AdminPortal' },
  demands: () => mode,
  ...jsonPage(async (shown) => {
    const request = asked('/admin/session', JSON.stringify(shown), 'application/json');
    return JSON.parse(String((await node.service.portal.answerSession(request)).body));
  }),
});

function resetLink(node: Fixture): Door {
  return {
    ...{
      name: 'a reset link',
      files: ['applications/self-service/pages/factor.ts'],
      client: 'PwReset',
      isLink: true,
    },
    demands: () => 'LDAPMFA',
    begin: async (username, { code }) => {
      const params = { username, domain: 'Default', method: 'NONE', mfa: true };
      const { result } = await node.call('PwReset.Send_Request', params);
      const link = String(result);
      const send = async (form: Record<string, string>): Promise<Step> => {
        const { text, fields } = await open(node, link, { form, address: browserAddress });
        if (text.includes('name="password"')) return 'granted';
        const { session, token = '' } = fields;
        if (session === undefined) return 'refused';
        const devices = /name="device" value="([^"]*)"/.exec(text)?.[1]?.replaceAll('&#34;', '"');
        return {
          devices: challengeIn(devices),
          answer: ({ code: typed = '', signed = '' }) =>
            send({ token, session, code: typed, u2fResponse: signed }),
        };
      };
      const { fields } = await open(node, link, { address: browserAddress });
      return send({ token: fields.token ?? '', ...(code === undefined ? { send: 'yes' } : { code }) });
    },
  };
}

const ldapBind = (node: Fixture): Door => ({
  ...{ name: 'an LDAP bind', files: ['doors/ldap/door.ts'], client: 'ldap' },
  ...{ isConcatenated: true, asksNothing: true },
  begin: async (name, first) => {
    const client = {
      address: browserAddress,
      port: 40_000,
      policy: 'ldap',
      signal: new AbortController().signal,
    };
    const bound = await node.service.ldap.bind({ name, password: inOne(first) }, client);
    if ('code' in bound) return 'refused';
    await bound.close();
    return 'granted';
  },
});

const authorize = (): string => {
  const code_challenge = hash('sha256', randomBytes(32).toString('base64url'), 'base64url');
  const query = {
    ...{
      client_id: 'wiki',
      response_type: 'code',
      scope: 'openid',
      prompt: 'login',
      state: 'st',
      nonce: 'no',
    },
    ...{ redirect_uri: 'https://wiki.example.com/', code_challenge, code_challenge_method: 'S256' },
  };
  return `${origin}/openid/authorize?${new URLSearchParams(query)}`;
};

function openIdPage(node: Fixture): Door {
  return {
    ...{
      name: 'the login page of OpenID Connect',
      files: ['applications/sso/openid/login.ts'],
      client: 'wiki',
    },
    isConcatenated: true,
    begin: async (username, first) => {
      const browser = new OpenIdBrowser(node, 'en', browserAddress);
      const { at: page } = await browser.follow(authorize());
      const send = async (form: Record<string, string>): Promise<Step> => {
        const { at, response } = await browser.follow(page, form);
        if (at.startsWith('https://wiki.example.com/')) return 'granted';
        const text = String(response.body);
        const session = /name="session" value="([^"]+)"/.exec(text)?.[1];
        if (session === undefined || text.includes('role="alert"')) return 'refused';
        const devices = /name="device" value="([^"]*)"/.exec(text)?.[1]?.replaceAll('&#34;', '"');
        return {
          devices: challengeIn(devices),
          answer: ({ code = '', signed = '' }) => send({ username, session, code, u2fResponse: signed }),
        };
      };
      return send({ username, password: inOne(first) });
    },
  };
}
