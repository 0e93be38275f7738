/** One HTTP request to a gateway and its answer: limited in size and time, without redirects, and aborted by a signal. */
import { type Agent as HttpAgent, request as httpRequest, type RequestOptions } from 'node:http';
import { type Agent as HttpsAgent, request as httpsRequest } from 'node:https';
import type { GatewayRequest } from './template.ts';

/** A request with its body as it goes over the wire. */
export interface WireRequest extends Omit<GatewayRequest, 'body'> {
  readonly body: string | Uint8Array | undefined;
}

export interface GatewayResponse {
  readonly status: number;
  readonly body: string;
}

/** Longest part of an answer that is read, in bytes. */
const longest = 65_536;

/** @throws Error what Node throws where there is no answer, or a longer one */
export function exchange(
  { url, method, headers, body }: WireRequest,
  { agent, signal }: { readonly agent: HttpAgent | HttpsAgent; readonly signal: AbortSignal },
): Promise<GatewayResponse> {
  const length = body === undefined ? {} : { 'Content-Length': String(Buffer.byteLength(body)) };
  const options: RequestOptions = { method, headers: { ...headers, ...length }, agent, signal };
  const send = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    const asking = send(url, options, (answer) => {
      const pieces: Buffer[] = [];
      let size = 0;
      answer.on('data', (piece: Buffer) => {
        size += piece.length;
        if (size > longest) asking.destroy(new Error(`The answer is longer than ${longest} bytes`));
        else pieces.push(piece);
      });
      answer.on('error', reject);
      answer.on('end', () =>
        resolve({ status: answer.statusCode ?? 0, body: Buffer.concat(pieces).toString('utf8') }),
      );
    });
    asking.on('error', reject);
    asking.end(body);
  });
}
