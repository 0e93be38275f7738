/** Answers to the challenges of one order: a listener for HTTP-01 (RFC 8555 §8.3), a certificate for TLS-ALPN-01 (RFC 8737). */
import { plainText } from '@watchword/core/http';
import { serve, webHandler } from '@watchword/node/http';
import { type Authorization, crypto } from 'acme-client';
import { keepChallenge, newKey, removeChallenge } from './acme-files.ts';
import type { AcmeSettings } from './order-error.ts';

export interface Answers {
  /** Makes the answer to a challenge available. */
  prepare(
    authorization: Authorization,
    challenge: { readonly token: string },
    keyAuthorization: string,
  ): Promise<void>;
  /** Takes all answers away. */
  close(): Promise<void>;
}

interface AnswerConfig {
  readonly data: string;
  readonly acme: AcmeSettings;
}

/** @throws StartError if the port of HTTP-01 cannot be opened */
export const openAnswers = ({ data, acme }: AnswerConfig): Promise<Answers> =>
  acme.challenge === 'http-01' ? openListener(acme) : Promise.resolve(certificates({ data, acme }));

const path = '/.well-known/acme-challenge/';

async function openListener({
  http_host: host,
  http_port: port,
}: Extract<AcmeSettings, { challenge: 'http-01' }>): Promise<Answers> {
  const texts = new Map<string, string>();
  const handler = webHandler(async ({ url }) => {
    const text = url.pathname.startsWith(path) ? texts.get(url.pathname.slice(path.length)) : undefined;
    return text === undefined ? plainText(404, 'Not Found') : plainText(200, text);
  });
  const listener = await serve(handler, {
    ...{ host, port, portSetting: 'acme.http_port or WATCHWORD_ACME__HTTP_PORT' },
    times: { headers: 5000, request: 5000, keepAlive: 1000, close: 1000 },
    connections: { perAddress: 16, most: 128, exempt: [] },
  });
  return {
    prepare: async (_authorization, { token }, keyAuthorization) => {
      texts.set(token, keyAuthorization);
    },
    close: () => listener.close(),
  };
}

function certificates(config: AnswerConfig): Answers {
  const pending: string[] = [];
  return {
    prepare: async (authorization, _challenge, keyAuthorization) => {
      const [key, certificate] = await crypto.createAlpnCertificate(
        authorization,
        keyAuthorization,
        newKey(),
      );
      const domain = authorization.identifier.value.toLowerCase();
      keepChallenge(config, domain, { certificate: certificate.toString(), key: key.toString() });
      pending.push(domain);
    },
    close: async () => {
      for (const domain of pending) removeChallenge(config, domain);
    },
  };
}
