/**
 * Push messages to browsers: Web Push (RFC 8030), encrypted for the browser (RFC 8291), from a server that identifies itself by VAPID (RFC
 * 8292). The browser chooses the push service, so only allowed services are called.
 */
import { createECDH, createPrivateKey } from 'node:crypto';
import { Agent } from 'node:https';
import { type Delivery, DeliveryError, type Push, type Sender } from '@watchword/core/ports';
import webPush from 'web-push';
import { exchange } from '../http/exchange.ts';

export interface WebPushOptions {
  /** Whom push services write to where something is wrong: `mailto:` or `https:`. */
  readonly subject: string;
  /** The private key on P-256, PEM. */
  readonly key: string;
  /** Push services, `host`, `host:port` or `*.domain`. */
  readonly hosts: readonly string[];
  /** PEM of the certificate authorities of them. Optional; default: those of the operating system. */
  readonly ca?: string | undefined;
}

/** A browser's subscription (W3C Push API, PushSubscription): JSON, in base64url after `web:`. */
interface Subscription {
  readonly endpoint: URL;
  /** base64url: a point on P-256, and 16 octets. */
  readonly keys: { readonly p256dh: string; readonly auth: string };
}

/** Most octets of a message that every push service takes, before it is encrypted (RFC 8030 §7.2, RFC 8291 §4). */
const mostOctets = 3993;

/**
 * Opens Web Push: messages to browsers, encrypted for the browser. Only push services that are named are asked.
 * @param options the contact, the private key on P-256 in PEM, and the hosts of the push services
 * @returns the sender, for `senders.push` of `createService`
 * @throws Error where the key is none on P-256
 * @see RFC 8030, RFC 8291, RFC 8292
 * @see docs/guide/messages.md
 * @example
 * ```ts
 * import { generateKeyPairSync } from 'node:crypto';
 * import { openWebPush } from '@watchword/gateways/web-push';
 *
 * const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
 * const key = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
 * export const gateway = openWebPush({ subject: 'mailto:ops@example.com', key, hosts: ['push.example.com'] });
 * await gateway.close();
 * ```
 */
export function openWebPush({ subject, key, hosts, ca }: WebPushOptions): Sender<Push> {
  const vapidDetails = { subject, ...vapidKeys(key) };
  const agent = new Agent({ keepAlive: true, minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) });
  return {
    send: async ({ to, title, body, data, timeout }, { id, signal }: Delivery) => {
      const { endpoint, keys } = subscriptionIn(to, hosts);
      const payload = JSON.stringify({ title, body, data });
      if (Buffer.byteLength(payload) > mostOctets) throw refused('the message is too long for Web Push');
      const details = webPush.generateRequestDetails({ endpoint: endpoint.href, keys }, payload, {
        ...{ vapidDetails, contentEncoding: 'aes128gcm', urgency: 'high' },
        // A second try takes the place of the first, where that is still kept (RFC 8030 §5.4).
        ...{ TTL: timeout, topic: id },
      });
      const headers = Object.fromEntries(
        Object.entries(details.headers).map(([name, value]) => [name, String(value)]),
      );
      const request = { url: endpoint, method: 'POST', headers, body: details.body } as const;
      assertTaken((await asked(request, { agent, signal })).status);
    },
    close: async () => agent.destroy(),
  };
}

/** Returns both keys in the package's form, the public one as browsers want it, `applicationServerKey`. */
function vapidKeys(pem: string): { readonly publicKey: string; readonly privateKey: string } {
  const { crv, d = '' } = createPrivateKey(pem).export({ format: 'jwk' });
  if (crv !== 'P-256') throw new Error('the key of Web Push is none on the curve P-256');
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(Buffer.from(d, 'base64url'));
  return { publicKey: pair.getPublicKey('base64url'), privateKey: d };
}

const refused = (why: string): DeliveryError => new DeliveryError(why, { isFinal: true });

/** @throws DeliveryError final ones: it is no subscription, or one at a push service that is not named */
function subscriptionIn(to: string, hosts: readonly string[]): Subscription {
  if (!to.startsWith('web:')) throw refused('the device is not a browser');
  const { endpoint, keys } = parsed(Buffer.from(to.slice('web:'.length), 'base64url').toString('utf8'));
  const { p256dh, auth } = Object(keys) as Record<string, unknown>;
  const [point, secret] = [p256dh, auth].map((text) => Buffer.from(String(text), 'base64url'));
  if (
    typeof endpoint !== 'string' ||
    !URL.canParse(endpoint) ||
    point?.length !== 65 ||
    secret?.length !== 16
  )
    throw refused('the device is not a Web Push subscription');
  const url = new URL(endpoint);
  if (url.protocol !== 'https:' || url.username !== '' || !hosts.some((host) => isHost(url, host)))
    throw refused(
      `the push service ${JSON.stringify(url.host.slice(0, 128))} is not among those that are asked`,
    );
  return { endpoint: url, keys: { p256dh: String(p256dh), auth: String(auth) } };
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return Object(JSON.parse(text));
  } catch {
    throw refused('the device is not a Web Push subscription');
  }
}

const isHost = ({ host }: URL, allowed: string): boolean =>
  allowed.startsWith('*.') ? host.endsWith(allowed.slice(1)) : host === allowed;

async function asked(...asking: Parameters<typeof exchange>): ReturnType<typeof exchange> {
  try {
    return await exchange(...asking);
  } catch (cause) {
    const { code } = cause as { code?: unknown };
    throw new DeliveryError(`the push service cannot be reached (${String(code ?? 'no answer')})`, { cause });
  }
}

/** 404 and 410: the browser has ended its subscription (RFC 8030 §7.3); 400 and 413: no other try would do better. */
const finalStatuses = [400, 404, 410, 413];

function assertTaken(status: number): void {
  if (status >= 200 && status <= 299) return;
  throw new DeliveryError(`the push service answered ${status}`, { isFinal: finalStatuses.includes(status) });
}
