/** Starts the application by its environment: OPENID_ISSUER, OPENID_CLIENT_ID, OPENID_CLIENT_SECRET_FILE, APP_URL, and APP_PORT if not 8091. */
import { readFileSync } from 'node:fs';
import { createApp } from './app.ts';

const {
  OPENID_ISSUER: issuer,
  OPENID_CLIENT_ID: clientId,
  OPENID_CLIENT_SECRET_FILE: file,
  APP_URL: url,
  APP_PORT: port = '8091',
} = process.env;
if (!issuer || !clientId || !file || !url) {
  process.stderr.write(
    'The application wants OPENID_ISSUER, OPENID_CLIENT_ID, OPENID_CLIENT_SECRET_FILE, and APP_URL, where people reach it.\n',
  );
  process.exit(1);
}
const app = await createApp({ issuer, clientId, clientSecret: readFileSync(file, 'utf8').trim(), url });
app.listen(Number(port), '127.0.0.1', () =>
  process.stdout.write(`The application listens on 127.0.0.1:${port}\n`),
);
