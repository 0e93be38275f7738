/** A mail as MIME (RFC 2045), plain or encrypted for a certificate (S/MIME, RFC 8551 §3.3). */

import type { Mail } from '@watchword/core/ports';
import type { SendMailOptions } from 'nodemailer';
import MailComposer from 'nodemailer/lib/mail-composer/index.js';
import MimeNode from 'nodemailer/lib/mime-node/index.js';

/** Encrypts for the key of a certificate. */
export type Sealing = (certificate: Uint8Array, content: Uint8Array) => Promise<Uint8Array>;

export interface Head {
  readonly from: string;
  /** Message-ID, in angle brackets. */
  readonly id: string;
  readonly date: Date;
}

/** Addresses were checked before: each is one, and goes into its header as it is. */
export const plainMail = (mail: Mail, { from, id, date }: Head): Promise<Buffer> =>
  new MailComposer({
    ...{ from, to: mail.to, messageId: id, date, subject: mail.subject, ...contentOf(mail) },
    ...{ disableFileAccess: true, disableUrlAccess: true },
  })
    .compile()
    .build();

const contentOf = ({ text, attachments }: Mail): SendMailOptions => ({
  text,
  attachments: attachments.map(({ name, data }) => ({
    filename: name,
    content: Buffer.from(data),
    contentType: 'application/octet-stream',
  })),
});

/** Text and attachments in one encrypted part. The subject stays in clear, as mail servers show it. */
export async function encryptedMail(
  mail: Mail,
  { from, id, date }: Head,
  encrypt: (content: Uint8Array) => Promise<Uint8Array>,
): Promise<Buffer> {
  const content = await new MailComposer(contentOf(mail)).compile().build();
  const node = new MimeNode('application/pkcs7-mime; smime-type=enveloped-data; name=smime.p7m');
  node.setHeader({
    ...{ From: from, To: mail.to, Subject: mail.subject, 'Message-ID': id },
    Date: date.toUTCString().replace('GMT', '+0000'),
    'Content-Disposition': 'attachment; filename=smime.p7m',
    'Content-Transfer-Encoding': 'base64',
  });
  node.setContent(Buffer.from(await encrypt(content)));
  return node.build();
}
