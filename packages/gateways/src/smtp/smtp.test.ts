import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import type { Mail } from '../../../core/src/ports/sending/sender.ts';
import { openOpenssl } from '../../../core/src/testing/bed/engines/openssl.ts';
import { listenOnLoopback, run } from '../../../core/src/testing/bed/scratch.ts';
import { systemClock } from '../../../node/src/machine/index.ts';
import { encryptFor } from '../../../pki/src/index.ts';
import { openSmtp, type SmtpOptions } from './smtp.ts';
import { type MailServer, type MailServerKind, mailLogin, startMailServer } from './testing/mail-server.ts';

const mail: Mail = {
  to: 'alice@example.org',
  subject: 'Ihr Code für heute',
  text: 'Grüße: 123456\n',
  attachments: [],
};
const id = 'aB3dE5fG7hJ9kL1m';
let aborter = new AbortController();

const openServer = async (kind?: MailServerKind): Promise<MailServer> => {
  const server = await startMailServer(kind);
  onTestFinished(() => server.close());
  return server;
};

function sender({ port, ca }: Pick<MailServer, 'port' | 'ca'>, more: Partial<SmtpOptions> = {}) {
  const options: SmtpOptions = {
    ...{ host: 'localhost', port, security: 'starttls', ...mailLogin, ca },
    ...{ from: 'login@example.org', timeout_ms: 2000, ...more },
  };
  const opened = openSmtp(options, { clock: systemClock, encrypt: encryptFor });
  aborter = new AbortController();
  onTestFinished(() => opened.close());
  return {
    send: (one: Partial<Mail> = {}) => opened.send({ ...mail, ...one }, { id, signal: aborter.signal }),
  };
}

describe('a mail server', () => {
  it.each(['starttls', 'tls', 'none'] as const)('takes mails over with security %s', async (security) => {
    const server = await openServer({ security });
    const { send } = sender(server, { security });
    await send();
    await send({ from: 'boss@example.org' });
    expect(server.taken).toHaveLength(2);
    expect(server.taken[0]).toMatchObject({
      ...{ from: 'login@example.org', to: ['alice@example.org'] },
      ...{ isSecure: security !== 'none', user: 'watchword' },
    });
    expect(server.taken[1]?.from).toBe('boss@example.org');
    const [head = '', body = ''] = server.taken[0]?.raw.split('\r\n\r\n') ?? [];
    expect(head).toContain(`Message-ID: <${id}@example.org>`);
    expect(head).toMatch(/^Subject: =\?UTF-8\?Q\?Ihr_Code_f=C3=BCr_heute\?=/m);
    expect(body).toContain('Gr=C3=BC=C3=9Fe: 123456');
  });

  it('has attachments as octets', async () => {
    const server = await openServer();
    const data = Uint8Array.from([0, 255, 10, 13, 1]);
    await sender(server).send({ attachments: [{ name: 'Übersicht.bin', data }] });
    const { raw = '' } = server.taken[0] ?? {};
    expect(raw).toContain('Content-Type: multipart/mixed');
    expect(raw).toContain('Content-Type: application/octet-stream');
    expect(raw).toContain(Buffer.from(data).toString('base64'));
  });

  it.each([
    [550, true],
    [452, false],
  ])('that refuses a recipient with %i: for good is %s', async (code, isFinal) => {
    const server = await openServer();
    server.refuses = code;
    await expect(sender(server).send()).rejects.toMatchObject({
      ...{ name: 'DeliveryError', isFinal, message: `the mail server answered ${code}` },
    });
  });

  it('that does not take our password, has no TLS, or has a certificate of nobody: not for good', async () => {
    const server = await openServer();
    const failed = { name: 'DeliveryError', isFinal: false };
    await expect(sender(server, { password: 'wrong' }).send()).rejects.toMatchObject(failed);
    await expect(sender({ ...server, ca: (await openServer()).ca }).send()).rejects.toMatchObject(failed);
    const plain = await openServer({ security: 'none' });
    await expect(sender(plain).send()).rejects.toMatchObject(failed);
    expect([...server.taken, ...plain.taken]).toEqual([]);
  });

  it('that never says a word is given up after the time that is set', async () => {
    const silent = await listenOnLoopback(() => {});
    onTestFinished(() => silent.stop());
    const { send } = sender({ port: silent.port, ca: '' }, { timeout_ms: 100 });
    await expect(send()).rejects.toMatchObject({ name: 'DeliveryError', isFinal: false });
  });
});

describe('a mail whose time is over', () => {
  it('ends with its connection, and is not delivered later', async () => {
    let [closed, bytes] = [0, 0];
    // It greets, and then says one letter now and then: never silent, never done.
    const dripping = await listenOnLoopback((socket) => {
      socket.write('220 slow\r\n250-');
      const drip = setInterval(() => socket.write('x'), 20);
      socket.on('data', (piece) => {
        bytes += piece.length;
      });
      socket.on('close', () => {
        clearInterval(drip);
        closed += 1;
      });
    });
    onTestFinished(() => dripping.stop());
    const { send } = sender({ port: dripping.port, ca: '' }, { security: 'none' });
    const sending = send();
    setTimeout(() => aborter.abort(), 200);
    await expect(sending).rejects.toMatchObject({ name: 'DeliveryError', isFinal: false });
    await expect.poll(() => closed).toBe(1);
    expect(bytes).toBeLessThan(200);
  });
});

describe('a mail for a certificate', () => {
  const openssl = { close: async () => {}, folder: '' } as Awaited<ReturnType<typeof openOpenssl>>;
  beforeAll(async () => void Object.assign(openssl, await openOpenssl()));
  afterAll(() => openssl.close());

  it.each([
    ['RSA', ['-newkey', 'rsa:2048', '-nodes']],
    ['P-256', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']],
    ['P-384', ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-384', '-nodes']],
  ])('with a key of %s is opened by openssl, and shows nothing but its subject', async (name, newKey) => {
    const [key, crt, eml] = ['key', 'crt', 'eml'].map((end) => join(openssl.folder, `${name}.${end}`)) as [
      string,
      string,
      string,
    ];
    await run('openssl', [
      'req',
      '-x509',
      ...newKey,
      '-keyout',
      key,
      '-out',
      crt,
      '-subj',
      '/CN=Alice',
      '-days',
      '2',
    ]);
    const { stdout: der } = await run('openssl', ['x509', '-in', crt, '-outform', 'DER'], {
      encoding: 'buffer',
    });
    const server = await openServer();
    const attachments = [{ name: 'a.txt', data: Buffer.from('attached words') }];
    await sender(server).send({ certificate: Uint8Array.from(der as unknown as Buffer), attachments });
    const { raw = '' } = server.taken[0] ?? {};
    expect(raw).toMatch(
      /^Content-Type: application\/pkcs7-mime; smime-type=enveloped-data;\s+name="?smime\.p7m"?/m,
    );
    expect(raw).toContain('To: alice@example.org');
    await writeFile(eml, raw, 'latin1');
    const { stdout } = await run('openssl', ['cms', '-decrypt', '-in', eml, '-inkey', key, '-recip', crt]);
    expect(stdout).toContain('Gr=C3=BC=C3=9Fe: 123456');
    expect(stdout).toContain(Buffer.from('attached words').toString('base64'));
    expect(raw).not.toContain('123456');
  });

  it('with a key that nothing can be encrypted for is refused', async () => {
    await expect(encryptFor(Uint8Array.from([1, 2, 3]), Uint8Array.from([1]))).rejects.toMatchObject({
      reason: 'invalid_params',
    });
  });
});
