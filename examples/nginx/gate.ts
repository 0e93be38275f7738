/**
 * The gate that nginx asks at each request (`auth_request`): whether the browser has a single sign-on session, and whose. Who has
 * none logs in here, once for all sites behind nginx. The session's id lives in the cookie, and all else with Watchword.
 */
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createWebServices, type WebServicesOptions } from '@watchword/client';
import { headers, type LoginForm, loggedOutPage, loginPage } from './page.ts';

export interface GateOptions extends WebServicesOptions {
  /** What the policies of Watchword call it. */
  readonly client: string;
}

/** No other site can set it, and it comes over HTTPS only. */
const cookieName = '__Host-sso';
const longestForm = 8192;

/** Listens where nginx alone reaches it: it believes nginx who asks. */
export function createGate({ client, ...options }: GateOptions): Server {
  const web = createWebServices(options);

  /** 204 with the user's name, or 401. */
  async function check(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const session = sessionOf(request);
    const answer = session === undefined ? undefined : await web.sso.check({ session });
    if (answer?.code === 1) response.writeHead(204, { 'x-user': encodeURIComponent(answer.data) }).end();
    else if (answer?.error === 'ServerError') response.writeHead(503).end();
    else response.writeHead(401).end();
  }

  async function logIn(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const form = await readForm(request);
    const to = pathOf(form.get('to'));
    const username = form.get('username') ?? '';
    const source = request.headers['x-real-ip']?.toString();
    const who = { username, client, ...(source !== undefined && { source }) };
    const session = form.get('session');
    const answer =
      session === null
        ? await web.otp.normalLogin({ ...who, ldapPassword: form.get('password') ?? '' })
        : await web.otp.challenge({ username, session, otpPassword: form.get('code') ?? '' });
    if (answer.code === 2)
      return show(response, {
        to,
        wanted: { message: answer.message, session: answer.session ?? '', username },
      });
    // The code was wrong, and the challenge waits for the right one.
    if (answer.code !== 1 && session !== null && answer.error === 'AuthFailed')
      return show(response, { to, alert: answer.message, wanted: { message: 'Code', session, username } });
    if (answer.code !== 1) return show(response, { to, alert: answer.message });
    const started = await web.sso.start({ ...who, data: username });
    if (started.code !== 1) return show(response, { to, alert: started.message });
    response.writeHead(303, { location: to, 'set-cookie': cookie(started.session) }).end();
  }

  async function logOut(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const session = sessionOf(request);
    if (session !== undefined) await web.sso.stop({ session });
    response.writeHead(200, { ...headers, 'set-cookie': `${cookie('')}; Max-Age=0` }).end(loggedOutPage());
  }

  return createServer((request, response) => {
    answer(request, response).catch((error) => {
      process.stderr.write(`The gate could not answer: ${error instanceof Error ? error.message : error}\n`);
      response.writeHead(503).end('Try again later');
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? '';
    if (url === '/gate/check') return check(request, response);
    if (request.method === 'GET' && url.startsWith('/gate/login'))
      return show(response, { to: pathOf(/[?&]to=(.*)$/.exec(url)?.[1]) });
    if (request.method !== 'POST') return void response.writeHead(404).end();
    if (!isSameSite(request)) return void response.writeHead(403).end();
    if (url === '/gate/login') return logIn(request, response);
    if (url === '/gate/logout') return logOut(request, response);
    response.writeHead(404).end();
  }
}

const show = (response: ServerResponse, form: LoginForm): void => {
  response.writeHead(form.alert === undefined ? 200 : 403, headers).end(loginPage(form));
};

const cookie = (value: string): string => `${cookieName}=${value}; Path=/; Secure; HttpOnly; SameSite=Lax`;

const sessionOf = ({ headers }: IncomingMessage): string | undefined =>
  /(?:^|; )__Host-sso=([A-Za-z0-9]{16})(?:;|$)/.exec(headers.cookie ?? '')?.[1];

/** Nobody else's page logs somebody in as somebody else, or out. */
const isSameSite = ({ headers: { origin, host } }: IncomingMessage): boolean => origin === `https://${host}`;

/** A path of this site, and of no other: a link to the login must not lead elsewhere. */
function pathOf(text: string | null | undefined): string {
  const here = 'https://here.invalid';
  if (!text || !URL.canParse(text, here)) return '/';
  const { origin, pathname, search } = new URL(text, here);
  return origin === here && !pathname.startsWith('//') ? `${pathname}${search}` : '/';
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.length;
    if (size > longestForm) throw new Error('a form is too long');
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}
