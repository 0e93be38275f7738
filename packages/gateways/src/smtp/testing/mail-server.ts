/** A real mail server on loopback for tests: STARTTLS by a certificate of its own, logins, and what a test has it answer. */
import { readFile } from 'node:fs/promises';
import { SMTPServer } from 'smtp-server';
import { issueCertificate, scratchFolder } from '../../../../core/src/testing/bed/scratch.ts';

export interface TakenMail {
  readonly from: string;
  readonly to: readonly string[];
  /** The received text, headers first. */
  readonly raw: string;
  readonly isSecure: boolean;
  readonly user: string | undefined;
}

export interface MailServer {
  readonly port: number;
  /** PEM: who vouches for it. */
  readonly ca: string;
  readonly taken: TakenMail[];
  /** The code that every recipient is refused with; undefined: none is. */
  refuses: number | undefined;
  /** Whether the server accepts a mail and never answers. */
  isMute: boolean;
  close(): Promise<void>;
}

export const mailLogin = { user: 'watchword', password: 'mail-Pa55' };

export interface MailServerKind {
  readonly security?: 'starttls' | 'tls' | 'none';
}

export async function startMailServer({ security = 'starttls' }: MailServerKind = {}): Promise<MailServer> {
  const { ca, certFile, keyFile } = await issueCertificate(await scratchFolder('mail'));
  const [key, cert] = await Promise.all([readFile(keyFile, 'utf8'), readFile(certFile, 'utf8')]);
  const state: Pick<MailServer, 'taken' | 'refuses' | 'isMute'> & {
    refuses: number | undefined;
    isMute: boolean;
  } = {
    ...{ taken: [], refuses: undefined, isMute: false },
  };
  const server = new SMTPServer({
    secure: security === 'tls',
    ...{ key, cert, logger: false, closeTimeout: 100 },
    ...(security === 'none' && { disabledCommands: ['STARTTLS'], allowInsecureAuth: true }),
    authOptional: false,
    onAuth: ({ username, password }, _, done) =>
      username === mailLogin.user && password === mailLogin.password
        ? done(null, { user: username })
        : done(new Error('Invalid username or password')),
    onRcptTo: (_, __, done) =>
      state.refuses === undefined
        ? done()
        : done(Object.assign(new Error('No'), { responseCode: state.refuses })),
    onData: (stream, session, done) => {
      const pieces: Buffer[] = [];
      stream.on('data', (piece: Buffer) => pieces.push(piece));
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope;
        state.taken.push({
          from: mailFrom ? mailFrom.address : '',
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(pieces).toString('latin1'),
          isSecure: session.secure,
          user: session.user === undefined ? undefined : String(session.user),
        });
        if (!state.isMute) done();
      });
    },
  });
  // Whoever does not trust its certificate hangs up.
  server.on('error', () => {});
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', () => resolve()));
  const address = server.server.address();
  return Object.assign(state, {
    ...{ port: typeof address === 'object' && address ? address.port : 0, ca },
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  });
}
