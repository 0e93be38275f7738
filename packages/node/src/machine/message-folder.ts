/** A folder in the place of a gateway: each message is a file that people read, codes too. For trying out, never for people. */
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock, Mail, Push, Sender, Sms } from '@watchword/core/ports';

/** How a message looks in its file. */
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

/** Files `2026-11-20T12-00-00Z-sms-<id>.txt`, the newest last; one that is tried again within the second is the same file. */
export const openMailFolder = (folder: string, clock: Moments): Sender<Mail> =>
  openFolder(folder, { way: 'mail', layout: layouts.mail, clock });

/** {@link openMailFolder}, of SMS. */
export const openSmsFolder = (folder: string, clock: Moments): Sender<Sms> =>
  openFolder(folder, { way: 'sms', layout: layouts.sms, clock });

/** {@link openMailFolder}, of push messages. */
export const openPushFolder = (folder: string, clock: Moments): Sender<Push> =>
  openFolder(folder, { way: 'push', layout: layouts.push, clock });

type Moments = Pick<Clock, 'now'>;

interface FolderKind<Message> {
  readonly way: string;
  readonly layout: (message: Message) => string;
  readonly clock: Moments;
}

const openFolder = <Message>(
  folder: string,
  { way, layout, clock }: FolderKind<Message>,
): Sender<Message> => ({
  send: async (message, { id }) => {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const moment = new Date(clock.now()).toISOString().replaceAll(':', '-').replace(/\.\d+/, '');
    const name = join(folder, `${moment}-${way}-${id}.txt`);
    await writeFile(`${name}.new`, layout(message), { mode: 0o600 });
    await rename(`${name}.new`, name);
  },
  close: async () => {},
});
