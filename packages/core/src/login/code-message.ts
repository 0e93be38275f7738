/** The message with the code of a challenge: makes the code, writes the message, and prepares it for the outbox. */

import { callerKey } from '../administration/policy/callers.ts';
import type { SentKind } from '../authenticators/authenticator.ts';
import { makeSentCode, type NewCode } from '../authenticators/sent-code.ts';
import { codeSettings } from '../authenticators/settings.ts';
import { languageOf, mailCertificate } from '../messaging/contact-channels.ts';
import type { PreparedMessage } from '../messaging/prepared-message.ts';
import type { Message } from '../messaging/stored-message.ts';
import { textFor, type Wording } from '../messaging/texts/texts.ts';
import type { Transaction } from '../table/method.ts';
import { read } from '../table/setting.ts';
import { type Asking, type Challenged, challengeSeconds } from './challenge.ts';
import type { CodeSendingView, ContextCall, LoginView } from './view.ts';

export interface CodeMessage extends Pick<NewCode, 'sent' | 'values'> {
  readonly prepared: PreparedMessage;
}

/** The call that asks for a code. */
type SendingCall = CodeSendingView &
  Pick<ContextCall, 'application'> &
  Pick<LoginView, 'directory'> & { readonly transaction: Transaction };

/** Makes a code and its message. @returns undefined: the user who is challenged has no channel for it */
export async function codeMessage(
  whose: Challenged,
  asking: Asking & { readonly factor: SentKind; readonly session: string },
  call: SendingCall,
): Promise<CodeMessage | undefined> {
  const { id, channels, entry, settings, dn } = whose;
  const { factor: kind, session, loginContext, afterPassword } = asking;
  const to = channels?.[kind];
  if (to === undefined || id === undefined || !entry) return undefined;
  const seconds = challengeSeconds(whose, asking);
  const purpose = { kind, session, source: loginContext.source.id, seconds };
  const { code, sent, values } = makeSentCode({ settings, id }, purpose, call);
  const variables = {
    code,
    minutes: String(Math.max(1, Math.floor(seconds / 60))),
    user: loginContext.named.name,
    domain: loginContext.named.domain?.name ?? '',
    client: loginContext.policy.name,
  };
  const { texts: own, default_language: otherwise } = call.config;
  const wording = { preferred: languageOf(entry, call), own, otherwise };
  const isSecret = kind === 'MAIL' && read(settings, codeSettings.SecureMail);
  const certificate = isSecret ? await mailCertificate(dn, call) : undefined;
  const prepared = call.outbox.prepare({
    message: messageOf(kind, to, {
      variables,
      wording,
      isFlash: read(settings, codeSettings.SMSType) === 'Flash',
      certificate,
    }),
    sending: {
      application: call.names.theirs(call.application.name),
      dn: dn.format(),
      transaction: call.transaction,
    },
    spender: { user: id, client: callerKey(loginContext.caller), isAlone: !afterPassword },
    ends: call.clock.now() + seconds * 1000,
  });
  return { sent, values, prepared };
}

interface Written {
  readonly variables: Readonly<Record<'code' | 'minutes' | 'user' | 'domain' | 'client', string>>;
  readonly wording: Wording;
  readonly isFlash: boolean;
  readonly certificate: Uint8Array | undefined;
}

function messageOf(
  kind: SentKind,
  to: string,
  { variables, wording, isFlash, certificate }: Written,
): Message {
  switch (kind) {
    case 'SMS':
      return { way: 'sms', content: { to, text: textFor('code_sms', variables, wording), isFlash } };
    case 'MAIL': {
      const subject = oneLine(textFor('code_mail_subject', variables, wording));
      const text = textFor('code_mail', variables, wording);
      return { way: 'mail', content: { to, subject, text, certificate, attachments: [] } };
    }
  }
}

/** Control characters of a name end no line of a header. */
const oneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ');
