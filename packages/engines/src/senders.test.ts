/** Every sender that a configuration can name, by one contract, each with a real gateway of its kind. */
import { createECDH, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile } from 'node:fs/promises';
import { createServer as createHttpServer, type RequestListener } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { Mail, Push, Sms } from '../../core/src/ports/sending/sender.ts';
import { issueCertificate, scratchFolder } from '../../core/src/testing/bed/scratch.ts';
import {
  type Behaviour,
  describeSender,
  type SenderBed,
} from '../../core/src/testing/contracts/sender-contract.ts';
import { openPushGateway, openSmsGateway } from '../../gateways/src/http/index.ts';
import { openSmpp } from '../../gateways/src/smpp/index.ts';
import { smppLogin, startSmsCentre } from '../../gateways/src/smpp/testing/sms-centre.ts';
import { openSmtp } from '../../gateways/src/smtp/index.ts';
import { mailLogin, startMailServer } from '../../gateways/src/smtp/testing/mail-server.ts';
import { openWebPush } from '../../gateways/src/web-push/web-push.ts';
import { openSmsFolder, systemClock } from '../../node/src/machine/index.ts';
import { encryptFor } from '../../pki/src/index.ts';

let number = 0;
const sms = (): Sms => {
  number += 1;
  return { to: `+49151${2_345_678 + number}`, text: `s3cret ${number}`, isFlash: false };
};
const push = (to: string) => (): Push => ({
  ...{ application: 'token', to, title: 'Login', body: 's3cret', data: {}, timeout: 60 },
});
const mail = (): Mail => ({ to: 'alice@example.org', subject: 'Login', text: 's3cret', attachments: [] });

/** A gateway over HTTP with a programmable answer. */
function gatewayOf(statuses: Readonly<Record<Exclude<Behaviour, 'hang'>, number>>) {
  const behaviours: Behaviour[] = [];
  let taken = 0;
  const listener: RequestListener = (request, response) => {
    request.resume().on('end', () => {
      const behaviour = behaviours.shift();
      if (behaviour === 'hang') return;
      if (behaviour === undefined) taken += 1;
      response.writeHead(behaviour === undefined ? 201 : statuses[behaviour]).end();
    });
  };
  const next = (behaviour: Behaviour): void => {
    behaviours.push(behaviour);
  };
  return { listener, next, hasMet: () => behaviours.length === 0, taken: () => taken };
}

async function listening(server: ReturnType<typeof createHttpServer>): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
}

const overHttp =
  <Message>(make: (url: string) => Pick<SenderBed<Message>, 'sender' | 'message'>) =>
  async (): Promise<SenderBed<Message>> => {
    const gateway = gatewayOf({ 'refuse for good': 400, 'refuse for now': 503 });
    const server = createHttpServer(gateway.listener);
    const port = await listening(server);
    return {
      ...make(`http://127.0.0.1:${port}/`),
      ...{ next: gateway.next, hasMet: gateway.hasMet, taken: gateway.taken },
      close: async () => {
        server.closeAllConnections();
        server.close();
      },
    };
  };

describeSender('SMS over HTTP', {
  canFail: true,
  open: overHttp((url) => ({
    sender: openSmsGateway({ url, method: 'POST', json: { to: '{to}', text: '{text}' } }),
    message: sms,
  })),
});

describeSender('push over HTTP', {
  canFail: true,
  open: overHttp((url) => ({
    sender: openPushGateway({ url, method: 'POST', json: { to: '{to}', title: '{title}' } }),
    message: push('ios:abc'),
  })),
});

describeSender('push over Web Push', {
  canFail: true,
  open: async () => {
    const gateway = gatewayOf({ 'refuse for good': 410, 'refuse for now': 429 });
    const { ca, certFile, keyFile } = await issueCertificate(await scratchFolder('push'));
    const [key, cert] = [await readFile(keyFile), await readFile(certFile)];
    const server = createHttpsServer({ key, cert }, gateway.listener);
    const host = `localhost:${await listening(server)}`;
    const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
    const keys = {
      p256dh: createECDH('prime256v1').generateKeys('base64url'),
      auth: Buffer.alloc(16).toString('base64url'),
    };
    const subscription = JSON.stringify({ endpoint: `https://${host}/1`, keys });
    return {
      sender: openWebPush({ subject: 'mailto:ops@example.org', key: pem, hosts: [host], ca }),
      message: push(`web:${Buffer.from(subscription).toString('base64url')}`),
      ...{ next: gateway.next, hasMet: gateway.hasMet, taken: gateway.taken },
      close: async () => {
        server.closeAllConnections();
        server.close();
      },
    };
  },
});

describeSender('SMS over SMPP', {
  canFail: true,
  open: async () => {
    const centre = await startSmsCentre();
    const { port } = centre;
    return {
      sender: openSmpp({ host: '127.0.0.1', port, security: 'none', timeout_ms: 10_000, ...smppLogin }),
      message: sms,
      next: (behaviour) => {
        centre.behaviours.push(
          { 'refuse for good': 0x0b, 'refuse for now': 0x58, hang: 'silent' as const }[behaviour],
        );
      },
      hasMet: () => centre.behaviours.length === 0,
      taken: () => centre.taken.length,
      close: centre.close,
    };
  },
});

describeSender('mail over SMTP', {
  canFail: true,
  open: async () => {
    const server = await startMailServer();
    const options = { host: 'localhost', port: server.port, security: 'starttls', ca: server.ca } as const;
    const opened = openSmtp(
      { ...options, ...mailLogin, from: 'login@example.org', timeout_ms: 20_000 },
      { clock: systemClock, encrypt: encryptFor },
    );
    return {
      // The programmed answer holds for one message.
      sender: {
        send: async (...sending) => {
          try {
            await opened.send(...sending);
          } finally {
            [server.refuses, server.isMute] = [undefined, false];
          }
        },
        close: () => opened.close(),
      },
      message: mail,
      next: (behaviour) => {
        if (behaviour === 'hang') server.isMute = true;
        else server.refuses = behaviour === 'refuse for good' ? 550 : 451;
      },
      hasMet: () => server.taken.length > 0,
      taken: () => server.taken.length,
      close: server.close,
    };
  },
});

describeSender('a folder', {
  canFail: false,
  open: async () => {
    const folder = await scratchFolder('messages');
    return {
      sender: openSmsFolder(folder, systemClock),
      message: sms,
      taken: async () => (await readdir(folder)).filter((name) => name.endsWith('.txt')).length,
      close: async () => undefined,
    };
  },
});
