/** Sends links: makes a link, writes its messages, and stores all in one step. */
import type { ServiceConfig } from '../../../config/config.ts';
import { type EntryProfile, readProfile } from '../../../directory/data/profile.ts';
import { readExisting } from '../../../directory/entry/entry.ts';
import { type MissingRightView, missingRight, settingPasswords } from '../../../directory/missing-right.ts';
import type { BoundView, ProfileContext } from '../../../directory/view.ts';
import { type RecordingPorts, recordEvent } from '../../../events/recorded.ts';
import { isReason, ServiceError } from '../../../foundation/errors/errors.ts';
import type { Dn } from '../../../foundation/text/dn.ts';
import { formatTimestamp } from '../../../foundation/text/timestamp.ts';
import type { AccountName, LinkSentBy } from '../../../login/request.ts';
import type { Spender } from '../../../messaging/budget.ts';
import {
  channelAttributes,
  channelsOf,
  languageOf,
  mailCertificate,
} from '../../../messaging/contact-channels.ts';
import type { Outbox, OutgoingMessage } from '../../../messaging/outbox.ts';
import type { Message } from '../../../messaging/stored-message.ts';
import { textFor, type Wording } from '../../../messaging/texts/texts.ts';
import type { Clock } from '../../../ports/clock.ts';
import type { Entry } from '../../../ports/directory/directory.ts';
import type { Log } from '../../../ports/log/log.ts';
import type { Transaction } from '../../../table/method.ts';
import { read } from '../../../table/setting.ts';
import { type ByLink, isOpen, type OpennessView } from '../openness.ts';
import { pwresetSettings, selfregSettings } from '../settings.ts';
import { type Link, type LinkView, newToken, storeLink } from './link.ts';
import { type RightsView, rightsOf } from './rights.ts';

export type LinkChannel = 'MAIL' | 'SMS' | 'MAILSMS' | 'NONE';

/** A request to send a link. */
export interface LinkRequest {
  readonly dn: Dn;
  readonly name: AccountName;
  readonly entering: ByLink;
  /** Left out: as the settings of the user say. */
  readonly method?: LinkChannel | undefined;
  readonly seconds?: number | undefined;
  readonly needsFactor?: boolean | undefined;
  readonly comments?: string | undefined;
  readonly spender: Omit<Spender, 'user'>;
  /** The requester, for the audit entry: an administrator's DN, or the name that was entered. */
  readonly requester: string;
}

export interface SendingView
  extends ProfileContext,
    LinkView,
    OpennessView,
    Pick<RightsView, 'roles'>,
    Omit<RecordingPorts, 'clock' | 'log'> {
  readonly store: LinkView['store'];
  readonly keys: ProfileContext['keys'];
  readonly clock: Clock;
  readonly log: ProfileContext['log'] & RecordingPorts['log'] & Pick<Log, 'error'>;
  readonly server: ProfileContext['server'] & MissingRightView['server'];
  readonly domains: MissingRightView['domains'];
  readonly outbox: Pick<Outbox, 'has' | 'prepare' | 'wake'>;
  readonly transaction: Transaction;
  readonly config: Pick<ServiceConfig, 'schema' | 'messages' | 'texts' | 'default_language' | 'manager_url'>;
}

/** The rules of links by application. */
const rules = {
  pwreset: {
    application: 'PwReset',
    texts: { sms: 'reset_sms', subject: 'reset_mail_subject', mail: 'reset_mail' },
    of: (settings: EntryProfile['settings']) => ({
      channel: read(settings, pwresetSettings.LinkMode),
      seconds: read(settings, pwresetSettings.LinkTime) * 3600,
      isSecret: read(settings, pwresetSettings.SecureMail),
      isFlash: read(settings, pwresetSettings.SMSType) === 'Flash',
    }),
  },
  selfreg: {
    application: 'SelfReg',
    texts: { sms: 'registration_sms', subject: 'registration_mail_subject', mail: 'registration_mail' },
    of: (settings: EntryProfile['settings']) => ({
      channel: read(settings, selfregSettings.LinkMode),
      seconds: read(settings, selfregSettings.LinkTime),
      isSecret: read(settings, selfregSettings.SecureMail),
      isFlash: read(settings, selfregSettings.SMSType) === 'Flash',
    }),
  },
} as const;

/** Bytes of a secret (RFC 4226 §4 R6), and characters. */
const [seedBytes, longestComments] = [20, 1000];

/**
 * @returns the link
 * @throws ServiceError `permission_denied` where the application is locked to the user, or the directory does not let the service do
 *   what the link is for; `invalid_params` where nothing can be
 *   sent to the user; `not_found`, `unavailable`; `too_large` where the budget of messages is used up
 */
export async function sendLink(request: LinkRequest, call: SendingView): Promise<string> {
  const { dn, entering, comments = '' } = request;
  if (comments.length > longestComments)
    throw new ServiceError('invalid_params', {
      detail: `Parameter comments is longer than ${longestComments} characters`,
    });
  const service = { ...call, directory: call.server.service };
  const profile = await readProfile(dn, service);
  const { word } = entering;
  if (!(await isOpen(entering, profile, call))) throw locked(rules[word].application);
  await assertOfUse(request, service);
  const token = newToken(call.random);
  const { channel, seconds } = { ...rules[word].of(profile.settings), ...given(request) };
  const link: Link = {
    ...{
      application: word,
      dn,
      id: profile.id,
      name: request.name,
      expiresAt: call.clock.now() + seconds * 1000,
    },
    ...{
      needsSecondFactor: request.needsFactor ?? false,
      item: 'item' in entering ? entering.item : undefined,
    },
    ...{
      sentBy: sentBy(channel),
      isUnauthenticated: request.spender.isAlone,
      rights: await rightsOf(dn, call),
    },
    seed: Buffer.from(call.random.bytes(seedBytes)).toString('base64'),
  };
  const address = `${call.config.manager_url}/webapps/${call.names.theirs(word)}?token=${token}`;
  const messages = await prepareMessages({ link, address, channel, profile, request }, service);
  const prepared = messages.map((message) => call.outbox.prepare(message));
  await storeLink({ token, link, messages: prepared, isUnauthenticated: request.spender.isAlone }, call);
  for (const one of prepared) call.outbox.wake(one);
  await record(link, { channel, requester: request.requester }, call);
  return address;
}

/** Returns the channels that a link was sent by; undefined: it was sent to nobody. */
export const sentBy = (channel: string): LinkSentBy | undefined =>
  (['MAIL', 'SMS', 'MAILSMS'] as const).find((one) => one === channel);

const given = ({ method: channel, seconds }: LinkRequest) => ({
  ...(channel !== undefined && { channel }),
  ...(seconds !== undefined && { seconds }),
});

/**
 * Checks that the service may do what the link is for.
 * @throws ServiceError `permission_denied` where the directory does not permit it
 */
async function assertOfUse(
  { dn, entering: { word }, requester }: LinkRequest,
  call: SendingView & BoundView,
): Promise<void> {
  const { password_attributes, data_attribute } = call.config.schema;
  const isOfPassword = word === 'pwreset';
  const attribute = isOfPassword ? password_attributes[0] : data_attribute;
  // Data that no entry can hold are kept by the service itself.
  const { accountSchema } = await call.server.capabilities(dn);
  if (attribute === undefined || !(isOfPassword || accountSchema)) return;
  try {
    await call.directory.assertWritable(dn, attribute);
  } catch (error) {
    if (!isReason(error, 'permission_denied')) throw error;
    const right = isOfPassword ? settingPasswords : `write access to ${attribute}`;
    call.log.error('no link is sent that could not work', {
      ...(await missingRight(dn, { right }, call)),
      error,
    });
    const why = `the service lacks ${right} in the directory`;
    const application = call.names.theirs(rules[word].application);
    const text = `${JSON.stringify(requester)}: no link: ${why}`;
    await recordEvent(
      { application, dn, text, facts: { user: requester, outcome: 'refused' } },
      call.transaction,
      call,
    );
    throw new ServiceError('permission_denied', { detail: why, cause: error });
  }
}

const locked = (application: string): ServiceError =>
  new ServiceError('permission_denied', {
    detail: `the application ${application} is locked to the user, by the settings or the configuration`,
  });

interface Wanted {
  readonly link: Link;
  readonly address: string;
  readonly channel: string;
  readonly profile: EntryProfile;
  readonly request: LinkRequest;
}

/** @throws ServiceError `invalid_params` where the user has no channel */
async function prepareMessages(
  { link, address, channel, profile, request }: Wanted,
  call: SendingView,
): Promise<readonly OutgoingMessage[]> {
  if (channel === 'NONE') return [];
  const { dn, application: word } = link;
  const entry = await readExisting(call.directory, dn, channelAttributes(call));
  const { isSecret, isFlash } = rules[word].of(profile.settings);
  const certificate = isSecret ? await mailCertificate(dn, call) : undefined;
  const messages = messagesFor({ link, address, channel, request, isFlash, certificate }, entry, call);
  if (messages.length === 0)
    throw new ServiceError('invalid_params', { detail: `Nothing can be sent to the user by ${channel}` });
  return messages.map((message) => ({
    message,
    sending: {
      application: call.names.theirs(rules[word].application),
      dn: dn.format(),
      transaction: call.transaction,
    },
    spender: { user: profile.id, ...request.spender },
    ends: link.expiresAt,
  }));
}

interface Written extends Omit<Wanted, 'profile'> {
  readonly isFlash: boolean;
  readonly certificate: Uint8Array | undefined;
}

function messagesFor(
  { link, address, channel, request, isFlash, certificate }: Written,
  entry: Entry,
  call: SendingView,
): readonly Message[] {
  const { MAIL: mail, SMS: sms } = channelsOf(entry, call);
  const { texts } = rules[link.application];
  const { comments = '' } = request;
  const variables = {
    ...{ user: link.name.username, domain: link.name.domain, link: address },
    until: formatTimestamp(link.expiresAt),
    comments: comments === '' ? '' : `${comments}\n\n`,
  };
  const { texts: own, default_language: otherwise } = call.config;
  const wording: Wording = { preferred: languageOf(entry, call), own, otherwise };
  const text = (name: (typeof texts)[keyof typeof texts]) => textFor(name, variables, wording);
  return [
    ...(mail === undefined || !channel.startsWith('MAIL')
      ? []
      : [
          {
            way: 'mail' as const,
            content: {
              to: mail,
              subject: text(texts.subject),
              text: text(texts.mail),
              certificate,
              attachments: [],
            },
          },
        ]),
    ...(sms === undefined || !channel.endsWith('SMS')
      ? []
      : [{ way: 'sms' as const, content: { to: sms, text: text(texts.sms), isFlash } }]),
  ];
}

const record = (
  { dn, application: word, item }: Link,
  { channel, requester }: { readonly channel: string; readonly requester: string },
  call: SendingView,
): Promise<void> => {
  const what = item === undefined ? 'a link to set a password' : `a link to register ${item}`;
  const by = channel === 'NONE' ? 'given to whoever asked' : `sent by ${channel}`;
  return recordEvent(
    {
      application: call.names.theirs(rules[word].application),
      dn,
      text: `${JSON.stringify(requester)}: ${what}: ${by}`,
      facts: { user: requester, outcome: 'done' },
    },
    call.transaction,
    call,
  );
};
