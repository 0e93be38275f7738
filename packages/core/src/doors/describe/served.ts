/** Serves the descriptions of an installation: to callers who may use the Manager, and a WSDL to everybody. */
import type { Handler, WebHead, WebResponse } from '../../foundation/http/http.ts';
import { answeringFirst, plainText } from '../../foundation/http/response.ts';
import { type Descriptions, descriptionFolder } from './descriptions.ts';

/** The parts of a service that descriptions need. */
interface Described {
  readonly descriptions: Pick<Descriptions, 'file' | 'paths'>;
}

interface DescribedManager extends Described {
  readonly manager: { admits(address: string): Promise<boolean> };
}

/** `/manag/openrpc.json`, `/manag/descriptions/` and what it lists, `/openapi.json`. */
export const withManagerDescriptions = (service: DescribedManager, next: Handler): Handler =>
  answeringFirst((head) => answerBelow(service, head), withDescriptions(service, next));

function answerBelow(
  { descriptions, manager }: DescribedManager,
  { url: { pathname }, method, address }: WebHead,
): Promise<WebResponse> | undefined {
  const path = pathname.startsWith(below) ? pathname.slice(below.length) : '';
  const text = path === `${descriptionFolder}/` ? listOf(descriptions) : descriptions.file(path);
  if (text === undefined || path === 'openapi.json') return undefined;
  return manager
    .admits(address)
    .then((isAdmitted) => (isAdmitted ? answer(method, text) : plainText(403, 'Forbidden')));
}

const below = '/manag/';

/** `/openapi.json` */
export const withDescriptions = ({ descriptions }: Described, next: Handler): Handler =>
  answeringFirst(
    ({ url, method }) =>
      url.pathname === '/openapi.json'
        ? Promise.resolve(answer(method, descriptions.file('openapi.json') ?? ''))
        : undefined,
    next,
  );

const listOf = ({ paths }: Described['descriptions']): string => {
  const own = paths.filter((path) => path.startsWith(`${descriptionFolder}/`));
  return `${JSON.stringify(
    own.map((path) => path.slice(descriptionFolder.length + 1)),
    null,
    2,
  )}\n`;
};

const answer = (method: string, body: string): WebResponse =>
  method === 'GET' || method === 'HEAD'
    ? { status: 200, headers: { 'content-type': 'application/json', 'cache-control': 'no-cache' }, body }
    : plainText(405, 'Method Not Allowed', { allow: 'GET, HEAD' });
