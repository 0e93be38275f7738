/**
 * Yubico Validation Protocol 2.0 (developers.yubico.com, "Validation Protocol V2.0"): all servers are asked at the same time with one
 * nonce. The first answer that is signed, matches the request and is definite counts.
 */
import { createHmac } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { isSameSecret, ServiceError } from '@watchword/core/foundation';
import { type Random, randomText, type YubicoVerdict, type YubicoVerification } from '@watchword/core/ports';
import { exchange } from './exchange.ts';

export interface YubicoServersOptions {
  readonly urls: readonly string[];
  /** Our client id at the servers. */
  readonly client_id: number;
  /** The key that signs requests and answers, base64. */
  readonly key: string;
  readonly timeout_s: number;
  /** PEM of the certificate authorities of the servers. Optional; default: those of the operating system. */
  readonly ca?: string | undefined;
}

type Fields = ReadonlyMap<string, string>;

/** Whatever else a server says, such as BACKEND_ERROR, decides nothing: another one may know. */
const verdicts = new Map<string, YubicoVerdict>([
  ['OK', 'good'],
  ['REPLAYED_OTP', 'replayed'],
  ['BAD_OTP', 'wrong'],
]);

export function openYubicoServers(
  { urls, client_id, key, timeout_s, ca }: YubicoServersOptions,
  random: Random,
): YubicoVerification {
  const tls = new HttpsAgent({ keepAlive: true, minVersion: 'TLSv1.2', ...(ca !== undefined && { ca }) });
  const plain = new HttpAgent({ keepAlive: true });
  const secret = Buffer.from(key, 'base64');

  async function ask(address: string, question: Fields, ended: AbortSignal): Promise<YubicoVerdict> {
    const url = new URL(address);
    for (const [name, value] of question) url.searchParams.set(name, value);
    url.searchParams.set('h', signatureOf(question, secret));
    const agent = url.protocol === 'https:' ? tls : plain;
    const request = { url, method: 'GET', headers: {}, body: undefined } as const;
    const { status, body } = await exchange(request, { agent, signal: ended });
    if (status !== 200) throw new Error(`it answered ${status}`);
    return verdictOf(fieldsOf(body), question, secret);
  }

  return {
    verify: async (otp) => {
      const nonce = randomText(random, { length: 32, alphabet: '0123456789abcdef' });
      const question = new Map([
        ['id', String(client_id)],
        ['nonce', nonce],
        ['otp', otp],
        // How long it waits for its own neighbours, in seconds.
        ['timeout', String(Math.max(1, timeout_s - 1))],
      ]);
      // Node 20 collects the signal of `AbortSignal.timeout` where nothing but `AbortSignal.any` listens to it: it never ends then.
      const ended = new AbortController();
      const timer = setTimeout(() => ended.abort(), timeout_s * 1000);
      try {
        return await Promise.any(urls.map((url) => ask(url, question, ended.signal)));
      } catch (cause) {
        const why = cause instanceof AggregateError ? cause.errors.map(String).join('; ') : String(cause);
        const detail = `no Yubico verification server has decided it: ${why.slice(0, 512)}`;
        throw new ServiceError('unavailable', { detail, cause });
      } finally {
        clearTimeout(timer);
        ended.abort();
      }
    },
    close: () => {
      tls.destroy();
      plain.destroy();
    },
  };
}

/** @throws Error where the answer is not surely the server's to this question, or decides nothing */
function verdictOf(answer: Fields, question: Fields, secret: Uint8Array): YubicoVerdict {
  const unsigned = new Map([...answer].filter(([name]) => name !== 'h'));
  if (!isSameSecret(answer.get('h') ?? '', signatureOf(unsigned, secret)))
    throw new Error('its answer has a wrong signature');
  const verdict = verdicts.get(answer.get('status') ?? '');
  if (verdict === undefined)
    throw new Error(`it answered ${(answer.get('status') ?? 'nothing').slice(0, 64)}`);
  // An answer that was signed for another question could otherwise be replayed. Refusals of Yubico's own server name neither.
  const isOf = (name: string) =>
    answer.get(name) === question.get(name) || (verdict !== 'good' && !answer.has(name));
  if (!isOf('otp') || !isOf('nonce')) throw new Error('its answer is to another question');
  return verdict;
}

/** Lines `name=value`; values may have `=` in them. */
function fieldsOf(body: string): Fields {
  const lines = body.split(/\r?\n/).filter((line) => line.includes('='));
  return new Map(
    lines.map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1).trim()]),
  );
}

/** HMAC-SHA-1 of the fields in the order of their names, base64. */
function signatureOf(fields: Fields, secret: Uint8Array): string {
  const sorted = [...fields].sort(([a], [b]) => (a < b ? -1 : 1)).map(([name, value]) => `${name}=${value}`);
  return createHmac('sha1', secret).update(sorted.join('&')).digest('base64');
}
