/** Whether a request got as far as TLS: a connection that waited to be accepted when a port was closed is reset before. */
import type { ClientRequest } from 'node:http';

/** @returns what tells, when the request has failed, whether TLS stood */
export function watchTls(request: ClientRequest): () => boolean {
  let stands = false;
  request.once('socket', (socket) => {
    if (request.reusedSocket) stands = true;
    else
      socket.once('secureConnect', () => {
        stands = true;
      });
  });
  return () => stands;
}
