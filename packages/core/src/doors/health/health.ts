/**
 * Monitoring endpoints of both servers: `/healthz` (this process answers), `/readyz` (the servers that it needs answer, and its folder is
 * writable) and `/metrics`.
 */

import type { Handler, Peer, WebHead, WebResponse } from '../../foundation/http/http.ts';
import { answeringFirst, plainText } from '../../foundation/http/response.ts';
import type { Doors } from '../doors.ts';

/** Answers these paths itself and leaves all others to `next`: to whom `/metrics` is not for, there is none. */
export const withHealth = (service: Pick<Doors, 'ready' | 'metrics'>, next: Handler): Handler =>
  answeringFirst((head) => looks.get(head.url.pathname)?.(service, head), next);

type Look = (service: Pick<Doors, 'ready' | 'metrics'>, peer: Peer) => Promise<WebResponse | undefined>;

const onlyRead =
  (look: Look) =>
  async (service: Pick<Doors, 'ready' | 'metrics'>, head: WebHead): Promise<WebResponse | undefined> =>
    head.method === 'GET' || head.method === 'HEAD' ? look(service, head) : notAllowed;

const looks = new Map(
  Object.entries({
    '/healthz': onlyRead(async () => answer({ status: 'ok' }, 200)),
    '/readyz': onlyRead(readiness),
    '/metrics': onlyRead(measured),
  }),
);

const notAllowed = plainText(405, 'Method Not Allowed', { allow: 'GET, HEAD' });

async function measured(
  { metrics }: Pick<Doors, 'metrics'>,
  { address }: Peer,
): Promise<WebResponse | undefined> {
  const page = await metrics(address);
  return (
    page && {
      status: 200,
      headers: { 'content-type': page.type, 'cache-control': 'no-store' },
      body: page.text,
    }
  );
}

async function readiness(service: Pick<Doors, 'ready'>): Promise<WebResponse> {
  const { servers, freeBytes } = await service.ready();
  const isReady = [...servers.values()].every(Boolean);
  const room = freeBytes !== undefined && { free_bytes: freeBytes };
  const body = { status: isReady ? 'ok' : 'not ready', servers: Object.fromEntries(servers), ...room };
  return answer(body, isReady ? 200 : 503);
}

/** Makes an answer that no cache keeps. */
const answer = (body: object, status: number): WebResponse => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
});
