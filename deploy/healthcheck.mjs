/** Ends with 0 if a server answers on one of the ports in the arguments, else on one of the usual two. */
import { get } from 'node:https';

const ports = process.argv.length > 2 ? process.argv.slice(2) : ['4443', '8443'];

/** It is asked whether it lives, and told nothing: whose certificate it shows does not matter. */
const isAlive = (port) =>
  new Promise((resolve) => {
    get(`https://127.0.0.1:${port}/healthz`, { rejectUnauthorized: false, timeout: 4000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    })
      .on('timeout', () => resolve(false))
      .on('error', () => resolve(false));
  });

process.exit((await Promise.all(ports.map(isAlive))).includes(true) ? 0 : 1);
