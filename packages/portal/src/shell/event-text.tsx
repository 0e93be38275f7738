/** Events in the language of the page: the outcome, and a sentence. An event without a translation is shown as logged. */
import { momentOf } from '../api/moment.ts';
import { Badge, type Tone } from '../kit/show.tsx';
import { eventTexts } from '../texts/events/index.ts';
import { useLanguage } from '../texts/language.ts';
import { shellTexts } from '../texts/shell/index.ts';
import { type Translate, useTexts } from '../texts/text.ts';

type Key = Extract<keyof typeof eventTexts.en, string>;

/** The meaning of an event as the server reports it; it may know more words than these pages. */
export interface Meaning {
  readonly kind: string;
  readonly outcome: string;
  readonly program?: string | undefined;
  readonly shown?: readonly string[] | undefined;
  readonly awaits?: readonly string[] | undefined;
  readonly what?: string | undefined;
  readonly reason?: string | undefined;
  readonly until?: string | undefined;
}

export interface EventWithMeaning {
  readonly text: string;
  readonly meaning: Meaning;
}

const outcomes: Readonly<Record<string, readonly [key: Key, tone: Tone]>> = {
  granted: ['granted', 'good'],
  refused: ['refused', 'bad'],
  challenge: ['challenge', 'accent'],
  done: ['done', 'plain'],
  unchanged: ['unchanged', 'plain'],
  begun: ['begun', 'plain'],
  over: ['over', 'plain'],
};

const factors: Readonly<Record<string, Key>> = {
  password: 'byPassword',
  TOKEN: 'byToken',
  LIST: 'byList',
  EMERGENCY: 'byEmergency',
  SMS: 'bySms',
  MAIL: 'byMail',
  FIDO2: 'byDevice',
  certificate: 'byCertificate',
  'application password': 'byAppPassword',
  'temporary password': 'byTemporary',
};

const reasons: Readonly<Record<string, Key>> = {
  late: 'whyLate',
  replay: 'whyReplay',
  wrong_code: 'whyCode',
  wrong_key: 'whyKey',
  change_password: 'whyChange',
  locked: 'whyLocked',
  wrong_password: 'whyPassword',
  certificate: 'whyCertificate',
  no_factor: 'whyNoFactor',
  not_activated: 'whyInactive',
  not_allowed: 'whyNotAllowed',
  unknown: 'whyUnknown',
  client_closed: 'whyClient',
  no_code: 'whyNoCode',
  too_many: 'whyTooMany',
  unsent: 'whyUnsent',
  unkept: 'whyUnkept',
  unjudged: 'whyUnjudged',
};

/** Texts of all events but logins and calls, by kind, and subject or end. */
const others: Readonly<Record<string, Key>> = {
  'limit lockout': 'limitRefusal',
  'limit daily_quota': 'limitAllowance',
  'limit authenticator_cap': 'limitClosed',
  'limit token_disabled': 'limitDisabled',
  'limit source_forgotten': 'limitForgotten',
  'limit caller_watched': 'limitCalm',
  'link sent': 'linkSent',
  'link set': 'linkSet',
  'link unset': 'linkUnset',
  'link registered': 'linkRegistered',
  'page begun': 'pageBegun',
  'page over': 'pageOver',
  'session begun': 'sessionBegun',
  'session over': 'sessionOver',
  'session refused': 'sessionRefused',
  'phone confirm': 'phoneConfirm',
  'phone sign': 'phoneSign',
  'phone login': 'phoneLogin',
  'phone badge': 'phoneBadge',
  'phone decrypt': 'phoneDecrypt',
  enrolment: 'enrolment',
  message: 'message',
  request: 'request',
};

/** Undefined: only its text tells. */
export function useEventSentence(): (meaning: Meaning) => string | undefined {
  const t = useTexts(eventTexts);
  const language = useLanguage();
  return (meaning) => {
    if (meaning.kind === 'login') return loginSentence(meaning, { t, language });
    if (meaning.kind === 'call') return t('call', { what: meaning.what ?? '' });
    const { kind, what, outcome, until } = meaning;
    const key = others[`${kind} ${what ?? outcome}`] ?? others[kind];
    if (key === undefined) return undefined;
    if (until === undefined) return t(key);
    const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' });
    return `${t(key)} ${t('until', { moment: format.format(momentOf(until)) })}`;
  };
}

interface Saying {
  readonly t: Translate<Key>;
  readonly language: string;
}

function loginSentence(
  { outcome, shown = [], awaits = [], reason }: Meaning,
  { t, language }: Saying,
): string {
  const list = (words: readonly string[]) =>
    new Intl.ListFormat(language, { type: 'conjunction' }).format(words.map((word) => named(word, t)));
  if (outcome === 'granted')
    return shown.length === 0 ? t('signedIn') : t('signedInWith', { shown: list(shown) });
  const before = shown.includes('password') ? `${t('passwordRight')} ` : '';
  if (outcome === 'challenge') return `${before}${t('waiting', { awaits: list(awaits) })}`;
  return `${before}${t((reason !== undefined && reasons[reason]) || 'whyOther')}`;
}

const named = (factor: string, t: Translate<Key>): string => {
  const key = factors[factor];
  return key === undefined ? factor : t(key);
};

/** From where somebody logged in: one of our pages by its name, another program by its own. */
export function useProgram(): (meaning: Meaning) => string | undefined {
  const t = useTexts(shellTexts);
  return ({ program }) => {
    if (program === 'SelfDesk') return t('selfService');
    return program === 'AdminPortal' ? t('portal') : program;
  };
}

export function Outcome({ outcome }: Pick<Meaning, 'outcome'>) {
  const t = useTexts(eventTexts);
  const known = outcomes[outcome];
  return known === undefined ? null : <Badge tone={known[1]}>{t(known[0])}</Badge>;
}

/** @param hasRecord the signed text of the log is shown below: for administrators */
export function EventWords({
  event: { text, meaning },
  hasRecord = false,
}: {
  readonly event: EventWithMeaning;
  readonly hasRecord?: boolean;
}) {
  const sentence = useEventSentence()(meaning);
  return (
    <>
      <p className="break">
        <Outcome outcome={meaning.outcome} /> {sentence ?? <span lang="en">{text}</span>}
      </p>
      {hasRecord && sentence !== undefined && (
        <p className="soft small break" lang="en">
          {text}
        </p>
      )}
    </>
  );
}
