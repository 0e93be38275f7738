/** A folder in place of a message gateway: each message is a readable file, codes included. For tests, never for production. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Mail, Push, Sender, Sms } from '@watchword/core/ports';

/** The layouts of message files. */
const layouts = {
  mail: ({ to, from = '-', subject, text, attachments }: Mail): string =>
    [
      `To: ${to}`,
      `From: ${from}`,
      `Subject: ${subject}`,
      ...attachments.map(({ name }) => `Attached: ${name}`),
      '',
      text,
    ].join('\n'),
  sms: ({ to, sender = '-', isFlash, text }: Sms): string =>
    [`To: ${to}`, `From: ${sender}`, `Flash: ${isFlash ? 'yes' : 'no'}`, '', text, ''].join('\n'),
  push: ({ to, application, title, body, data }: Push): string =>
    [
      `To: ${to}`,
      `App: ${application}`,
      `Title: ${title}`,
      `Data: ${JSON.stringify(data)}`,
      '',
      body,
      '',
    ].join('\n'),
} as const;

/** Opens a folder of files `2026-11-20T12-00-00Z-mail-<id>.txt`. A retry within the second replaces its file. */
export const openMailFolder = (folder: string, clock: CurrentTime): Sender<Mail> =>
  openFolder(folder, { kind: 'mail', layout: layouts.mail, clock });

/** {@link openMailFolder} for SMS. */
export const openSmsFolder = (folder: string, clock: CurrentTime): Sender<Sms> =>
  openFolder(folder, { kind: 'sms', layout: layouts.sms, clock });

/** {@link openMailFolder} for push messages. */
export const openPushFolder = (folder: string, clock: CurrentTime): Sender<Push> =>
  openFolder(folder, { kind: 'push', layout: layouts.push, clock });

type CurrentTime = Pick<Clock, 'now'>;

interface FolderKind<Message> {
  readonly kind: string;
  readonly layout: (message: Message) => string;
  readonly clock: CurrentTime;
}

const openFolder = <Message>(
  folder: string,
  { kind, layout, clock }: FolderKind<Message>,
): Sender<Message> => ({
  send: async (message, { id }) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const time = new Date(clock.now()).toISOString().replaceAll(':', '-').replace(/\.\d+/, '');
    const name = join(folder, `${time}-${kind}-${id}.txt`);
    await writeFile(`${name}.new`, layout(message), { mode: 0o600 });
    await rename(`${name}.new`, name);
  },
  close: async () => {},
});
