/** The kinds of operations that the soak mixes, each with its share, and whether an answer was the one that is right for it. */
import { loginByLdap, outcomes } from './ldap-client.ts';
import { administering } from './manager.ts';
import { abandonLogin, logInToApplication } from './openid.ts';
import { FreshCodes, type GroupName, nameOf, passwordOf } from './people.ts';
import type { Servers } from './servers.ts';
import { type Asked, onLoopback, type Web } from './web.ts';

export interface Kind {
  /** Parts of all operations. */
  readonly share: number;
  /** @param turn counts the operations of this kind @returns what is wrong with the answer; undefined: nothing */
  run(turn: number): Promise<string | undefined>;
}

const json = { 'content-type': 'application/json' };
const xml = { 'content-type': 'text/xml; charset=utf-8' };

/** An address of 10.0.0.0/8, another one for each number; trusted callers say that users come from there. */
const elsewhere = (number: number): string =>
  `10.${(number >> 16) & 255}.${(number >> 8) & 255}.${number & 255}`;

type Fields = Readonly<Record<string, string | undefined>>;

const envelope = (operation: string, fields: Fields): string => {
  const inner = Object.entries(fields).map(([name, value]) => `<${name}>${value}</${name}>`);
  const body = `<n:${operation}>${inner.join('')}</n:${operation}>`;
  return `<s:Envelope xmlns:s="http://schemas.xmlsoap.org/soap/envelope/" xmlns:n="urn:otp"><s:Body>${body}</s:Body></s:Envelope>`;
};

export function kindsOf(servers: Servers, web: Web): Readonly<Record<string, Kind>> {
  const url = servers.addresses.ws;
  const codes = new FreshCodes();
  let unknown = 0;
  const rest = async (operation: string, fields: Fields, asked: Asked = {}) => {
    const service = operation.startsWith('sso') ? 'sso' : 'otp';
    const sent = { headers: json, body: JSON.stringify(fields), ...asked };
    return JSON.parse((await web.ask(`${url}${service}/json/${operation}/`, sent)).text);
  };
  const soap = async (operation: string, fields: Fields) =>
    (await web.ask(`${url}otp/`, { headers: xml, body: envelope(operation, fields) })).text;
  const withCode = (group: GroupName, turn: number) => {
    const username = nameOf(group, turn);
    const source = `11.${elsewhere(turn % 6000).slice(3)}`;
    const secrets = { ldapPassword: passwordOf(username), otpPassword: codes.next(username) };
    if (secrets.otpPassword === undefined)
      throw new Error('more logins than codes: the soak needs more users');
    return { username, ...secrets, client: 'vpn', source };
  };
  const ldap = (turn: number, username: string, password: string) =>
    loginByLdap({
      ...{ port: servers.addresses.ldapPort, ca: servers.ca, base: servers.base },
      ...{ username, password, searches: turn % 3, isRude: turn % 4 === 0 },
    });
  const mustBe = (seen: unknown, right: unknown) =>
    seen === right ? undefined : `${JSON.stringify(seen)} in place of ${JSON.stringify(right)}`;
  const mustHave = (text: string, part: string) => (text.includes(part) ? undefined : text.slice(0, 500));
  return {
    'REST, unknown name': {
      share: 30,
      run: async () => {
        unknown += 1;
        const fields = {
          username: `nobody${unknown}`,
          ldapPassword: 'some',
          client: `client${unknown % 50}`,
        };
        return mustBe((await rest('otpNormalLogin', { ...fields, source: elsewhere(unknown) })).code, 0);
      },
    },
    'REST, code': {
      share: 12,
      run: async (turn) => mustBe((await rest('otpNormalLogin', withCode('code', 2 * turn))).code, 1),
    },
    'SOAP, code': {
      share: 7,
      run: async (turn) =>
        mustHave(await soap('otpNormalLogin', withCode('code', 2 * turn + 1)), '<code>1</code>'),
    },
    'REST, wrong password': {
      share: 6,
      run: async (turn) => {
        const fields = { username: nameOf('wrong', turn), ldapPassword: 'wrong', otpPassword: '123456' };
        return mustBe((await rest('otpNormalLogin', { ...fields, source: elsewhere(turn * 7) })).code, 0);
      },
    },
    'SOAP, unknown name': {
      share: 5,
      run: async (turn) => {
        const fields = { username: `none${turn}`, anyPassword: 'wrong', source: elsewhere(turn * 3) };
        return mustHave(await soap('otpSimpleLogin', fields), '<code>0</code>');
      },
    },
    'challenge, abandoned or answered': {
      share: 6,
      run: async (turn) => {
        const { username, otpPassword, ldapPassword, source } = withCode('challenge', turn);
        const asked = await rest('otpNormalLogin', { username, ldapPassword, source });
        if (asked.code !== 2 || turn % 3 > 0) return mustBe(asked.code, 2);
        const { session } = asked;
        return mustBe((await rest('otpChallenge', { username, session, otpPassword })).code, 1);
      },
    },
    'sso session': {
      share: 8,
      run: async (turn) => {
        const username = nameOf('session', turn);
        const { session, code } = await rest('ssoStart', { username, data: 'x=y', source: elsewhere(turn) });
        if (code !== 1 || turn % 3 > 0) return mustBe(code, 1);
        const checked = await rest('ssoCheck', { session });
        const stopped = turn % 2 ? await rest('ssoStop', { session }) : checked;
        return mustBe(checked.code + stopped.code, 2);
      },
    },
    'OpenID Connect, abandoned at the page': {
      share: 3,
      run: async (turn) => mustBe(await abandonLogin({ web, url, from: onLoopback(turn) }), true),
    },
    'OpenID Connect, to the code or to the end': {
      share: 2,
      run: async (turn) => {
        const login = { username: nameOf('password', turn), isAbandoned: turn % 2 > 0 };
        return mustBe(await logInToApplication({ web, url, from: onLoopback(turn) }, login), true);
      },
    },
    'LDAP, bind and search': {
      share: 4,
      run: async (turn) => {
        const username = nameOf('password', turn);
        const { result, found } = await ldap(turn, username, passwordOf(username));
        return mustBe(`${result} ${found}`, `${outcomes.success} ${turn % 3}`);
      },
    },
    'LDAP, unknown name': {
      share: 2,
      run: async (turn) =>
        mustBe((await ldap(turn, `ghost${turn}`, 'wrong')).result, outcomes.invalidCredentials),
    },
    'REST, a new connection': {
      share: 2,
      run: async (turn) => {
        const fields = { username: `stranger${turn}`, ldapPassword: 'wrong' };
        return mustBe((await rest('otpNormalLogin', fields, { from: onLoopback(turn * 5) })).code, 0);
      },
    },
    'REST, hung up': {
      share: 2,
      run: async (turn) => {
        const fields = { username: `rude${turn}`, ldapPassword: 'wrong', source: elsewhere(turn * 11) };
        const body = JSON.stringify(fields);
        await web.ask(`${url}otp/json/otpNormalLogin/`, { headers: json, body, isRude: true });
        return undefined;
      },
    },
    'pages, descriptions, health and metrics': {
      share: 2,
      run: async (turn) => {
        const paths = [
          '',
          'healthz',
          'readyz',
          'metrics',
          'otp?wsdl',
          'openid/.well-known/openid-configuration',
        ];
        return mustBe((await web.ask(`${url}${paths[turn % paths.length]}`)).status, 200);
      },
    },
    'not there, or not understood': {
      share: 2,
      run: async (turn) => {
        const answer = await web.ask(`${url}otp/json/some${turn}/`, { headers: json, body: '{' });
        return mustBe(answer.status >= 400, true);
      },
    },
    ...administering(servers, web),
  };
}
