/** A gateway for SMS or push over HTTP: a template describes its request and its answer. */
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { type Delivery, DeliveryError, type Push, type Sender, type Sms } from '@watchword/core/ports';
import { exchange, type GatewayResponse } from './exchange.ts';
import { type RequestTemplate, requestOf, type Variables } from './template.ts';

export interface HttpGatewayOptions extends RequestTemplate {
  /** The value of `{secret}`. */
  readonly secret?: string | undefined;
  /** Whom SMS come from that name nobody, in `{sender}`. */
  readonly sender?: string | undefined;
  /** PEM of the certificate authorities of the gateway. Optional; default: those of the operating system. */
  readonly ca?: string | undefined;
  /** The content of a successful answer besides its status, which is 200 to 299. */
  readonly success?: SuccessRule | undefined;
  /** The header that carries the id of a message, the same at each try. Optional; default: none. */
  readonly id_header?: string | undefined;
}

export interface SuccessRule {
  /** The path in the JSON of the answer, as in `messages.0.status`. */
  readonly path: string;
  /** The values of success, as text. */
  readonly values: readonly string[];
}

/**
 * Opens a gateway of SMS that is asked over HTTP.
 * @param options the request with variables in braces, and the answer that means success
 * @returns the sender, for `senders.sms` of `createService`
 * @see docs/guide/messages.md
 * @example
 * ```ts
 * import { openSmsGateway } from '@watchword/gateways/http';
 *
 * export const gateway = openSmsGateway({
 *   ...{ url: 'https://sms.example.com/messages', method: 'POST', secret: 'a token' },
 *   headers: { Authorization: 'Bearer {secret}' },
 *   json: { to: '{digits}', text: '{text}' },
 * });
 * await gateway.close();
 * ```
 */
export const openSmsGateway = (options: HttpGatewayOptions): Sender<Sms> =>
  openGateway(options, ({ to, text, sender, isFlash }) => ({
    ...{ to, digits: to.replace('+', ''), text, flash: isFlash },
    sender: sender ?? options.sender ?? '',
  }));

/**
 * Opens a gateway of push messages that is asked over HTTP.
 * @param options the request with variables in braces, and the answer that means success
 * @returns the sender, for `senders.push` of `createService`
 * @see docs/guide/messages.md
 * @example
 * ```ts
 * import { openPushGateway } from '@watchword/gateways/http';
 *
 * export const gateway = openPushGateway({
 *   ...{ url: 'https://push.example.com/{platform}', method: 'POST' },
 *   json: { device: '{device}', title: '{title}', body: '{body}' },
 * });
 * await gateway.close();
 * ```
 */
export const openPushGateway = (options: HttpGatewayOptions): Sender<Push> =>
  openGateway({ ...options, finals: goneStatuses }, ({ application, to, title, body, data, timeout }) => {
    const colon = to.indexOf(':');
    const [platform, device] = [to.slice(0, colon), to.slice(colon + 1)];
    return { application, to, platform, device, title, body, timeout, data: JSON.stringify(data) };
  });

interface Asking extends HttpGatewayOptions {
  /** Statuses that are final beside {@link finalStatuses}. */
  readonly finals?: readonly number[];
}

function openGateway<Message>(
  options: Asking,
  variablesOf: (message: Message) => Variables,
): Sender<Message> {
  const { ca, secret = '', success, id_header, finals = [] } = options;
  const isTls = options.url.toLowerCase().startsWith('https:');
  const agent = isTls
    ? new HttpsAgent({ keepAlive: true, minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) })
    : new HttpAgent({ keepAlive: true });
  return {
    send: async (message, { id, signal }: Delivery) => {
      const request = requestOf(options, { ...variablesOf(message), id, secret });
      const headers = { ...request.headers, ...(id_header !== undefined && { [id_header]: id }) };
      const answer = await asked({ ...request, headers }, { agent, signal });
      assertTaken(answer, { success, finals: [...finalStatuses, ...finals] });
    },
    close: async () => agent.destroy(),
  };
}

async function asked(...asking: Parameters<typeof exchange>): Promise<GatewayResponse> {
  try {
    return await exchange(...asking);
  } catch (cause) {
    const { code } = cause as { code?: unknown };
    throw new DeliveryError(`the gateway cannot be reached (${String(code ?? 'no answer')})`, { cause });
  }
}

/** Statuses after which no retry helps. */
const finalStatuses = [400, 413, 422];
/** Answers of push gateways to a device that is no longer registered. */
const goneStatuses = [404, 410];

/** @throws DeliveryError */
function assertTaken(
  { status, body }: GatewayResponse,
  { success, finals }: { readonly success: SuccessRule | undefined; readonly finals: readonly number[] },
): void {
  if (status < 200 || status > 299)
    throw new DeliveryError(`the gateway answered ${status}`, { isFinal: finals.includes(status) });
  if (!success) return;
  const found = at(body, success.path);
  if (found !== undefined && success.values.includes(found)) return;
  const answer = found === undefined ? 'nothing' : JSON.stringify(found.slice(0, 64));
  throw new DeliveryError(`the gateway answered ${status} with ${answer} at ${success.path}`);
}

/** The text, number or flag at a place in JSON; undefined: there is none. */
function at(body: string, path: string): string | undefined {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return undefined;
  }
  for (const name of path.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
    value = Reflect.get(value, name);
  }
  return ['string', 'number', 'boolean'].includes(typeof value) ? String(value) : undefined;
}
