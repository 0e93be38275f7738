/**
 * What an event means, read off its text: pages say it in the language of whoever reads. The log keeps texts alone, signed and for
 * years, so that those of earlier versions are read here too; what is not understood is shown as it is written.
 */

export interface Meaning {
  /** `other`: only the text tells. */
  readonly kind:
    | 'login'
    | 'call'
    | 'limit'
    | 'link'
    | 'page'
    | 'session'
    | 'phone'
    | 'enrolment'
    | 'message'
    | 'request'
    | 'other';
  readonly outcome: 'granted' | 'challenge' | 'refused' | 'begun' | 'done' | 'unchanged' | 'over' | '';
  /** Of a login: the client, or the client policy, that it came from. */
  readonly program?: string;
  /** Of a login: what was shown and right, `password`, `TOKEN`, …; of a challenge too. */
  readonly shown?: readonly string[];
  /** Of a challenge: what it waits for, `TOKEN`, `FIDO2`, … */
  readonly awaits?: readonly string[];
  /** Grace logins that remain after a login by an expired password. */
  readonly graceLogins?: number;
  /** The method of a call, the kind of a limit, what the phone was asked, what came of a link. */
  readonly what?: string;
  /** Of a login a word of {@link whyRefused}, of a call one of the error table; left out: none of them fits. */
  readonly reason?: string;
  /** Of a limit: `YYYY-MM-DD HH:MM:SS` in UTC. */
  readonly until?: string;
}

const plainText = { type: 'string' };
const words = { type: 'array', items: plainText };

/** Of {@link Meaning}, as callers are told of it. */
export const meaningSchema = {
  type: 'object',
  description:
    'What the text says, for programs and pages in other languages; `other`: only the text tells. New words may come.',
  properties: {
    kind: plainText,
    outcome: plainText,
    program: { ...plainText, description: 'Of a login: the client, or its policy.' },
    shown: { ...words, description: 'Of a login: what was right.' },
    awaits: { ...words, description: 'Of a login that goes on: what it waits for.' },
    graceLogins: {
      type: 'integer',
      description: 'Of a login by a password that has expired: how many more it is good for.',
    },
    what: { ...plainText, description: 'The method, limit or question that it is about.' },
    reason: { ...plainText, description: 'Why it was refused, in a word.' },
    until: { ...plainText, description: 'Of a limit: `YYYY-MM-DD HH:MM:SS` in UTC.' },
  },
};

type Groups = Readonly<Record<string, string | undefined>>;
type Form = readonly [form: RegExp, read: (found: Groups) => Meaning];

/** As JSON writes it: a name in it ends where its writer has ended it. */
const quoted = String.raw`"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"`;
/** How the DN of an administrator begins (RFC 4514 §3). */
const someone = String.raw`[A-Za-z0-9][\w.-]*=.*`;

/** What the phone is asked, by how it is titled. */
const asked: Groups = {
  Confirmation: 'confirm',
  Signature: 'sign',
  'Login by QR code': 'login',
  Badging: 'badge',
  Decryption: 'decrypt',
};

/** Each reads what one writer writes; the first that fits. */
const forms: readonly Form[] = [
  [
    RegExp(`^Login of ${quoted} at (?<program>${quoted})(?:, (?:claimed )?source \\S+)?: (?<text>.*)$`),
    ({ program = '""', text = '' }) => ({ ...loginEnding(text), program: String(JSON.parse(program)) }),
  ],
  [
    RegExp(`^Login of ${quoted}(?<portal> to the admin portal)?: (?<text>.*)$`),
    ({ portal, text = '' }) => ({
      ...loginEnding(text),
      program: portal === undefined ? 'Manager' : 'AdminPortal',
    }),
  ],
  [RegExp(`^${quoted}: (?<text>.*)$`), ({ text = '' }) => limitOf(text) ?? linkOf(text) ?? unread],
  [
    RegExp(`^${someone}: signed (?<way>in to|out of) (?:the page of their own|the admin portal)$`),
    ({ way }) => ({ kind: 'page', outcome: way === 'in to' ? 'begun' : 'over' }),
  ],
  [
    RegExp(
      `^${someone}: (?<what>[A-Za-z][\\w.]*)(?: \\w+=${quoted})*: (?:(?<end>done|no change)|refused \\((?<reason>[a-z_]+).*\\))$`,
    ),
    ({ what = '', end, reason }) => ({
      kind: 'call',
      outcome: end === undefined ? 'refused' : end === 'done' ? 'done' : 'unchanged',
      what,
      ...(reason !== undefined && { reason }),
    }),
  ],
  [
    RegExp(`^(?<title>${Object.keys(asked).join('|')})(?: (?:of|by) ${quoted})?: (?<verdict>\\w+)`),
    ({ title = '', verdict = '' }) => ({
      kind: 'phone',
      outcome: verdicts[verdict] ?? '',
      what: asked[title] ?? '',
    }),
  ],
  [
    RegExp(`^(?:single sign-on of ${quoted}|SSH session of ${quoted}.*): (?<verdict>begun|ended|refused)`),
    ({ verdict = '' }) => ({ kind: 'session', outcome: verdicts[verdict] ?? '' }),
  ],
  [
    /^Mobile session: (?<verdict>confirmed|refused|over)/,
    ({ verdict = '' }) => ({ kind: 'enrolment', outcome: verdicts[verdict] ?? '' }),
  ],
  [
    /^(?:Mail|SMS|Push) to .*: (?:(?<sent>sent)|given up)/,
    ({ sent }) => ({ kind: 'message', outcome: sent === undefined ? 'refused' : 'done' }),
  ],
  [/^Refused: /, () => ({ kind: 'request', outcome: 'refused' })],
];

/** Never throws, whatever the text. */
export function meaningOf(text: string): Meaning {
  for (const [form, read] of forms) {
    const found = form.exec(text);
    if (found) return read(found.groups ?? {});
  }
  return unread;
}

const unread: Meaning = { kind: 'other', outcome: '' };

/** How a login ended: `granted by password and TOKEN`. */
function loginEnding(text: string): Meaning {
  const [, grace] = /; the password is past its time, ([0-9]+) grace logins remain/.exec(text) ?? [];
  const left = grace === undefined ? {} : { graceLogins: Number(grace) };
  const [, granted] = /^granted by ([^;]*)/s.exec(text) ?? [];
  if (granted !== undefined)
    return { kind: 'login', outcome: 'granted', shown: granted.split(' and '), ...left };
  const [, first, awaited] =
    /^(password right|no code), waiting for ([A-Z0-9]+(?: or [A-Z0-9]+)*)/.exec(text) ?? [];
  const shown = /\bpassword right\b/.test(text) ? { shown: ['password'] } : {};
  const isUnsent = text.includes('but nothing was sent');
  if (first !== undefined && awaited !== undefined && !isUnsent)
    return { kind: 'login', outcome: 'challenge', ...shown, awaits: awaited.split(' or '), ...left };
  const reason = whyRefused.find(([form]) => form.test(text))?.[1];
  return { kind: 'login', outcome: 'refused', ...shown, ...(reason !== undefined && { reason }) };
}

/** Why a login was refused, by what the log says of it; the first that fits. */
export const whyRefused: readonly (readonly [form: RegExp, reason: string])[] = [
  [/another login was faster/, 'late'],
  [/used before/, 'replay'],
  [/wrong code|knows no such code/, 'wrong_code'],
  [/security key/, 'wrong_key'],
  [/password has to be changed|password has expired/, 'change_password'],
  [/directory has (?:locked|disabled)|account has expired|permits no login|would lock/, 'locked'],
  [/wrong password/, 'wrong_password'],
  [/certificate/, 'certificate'],
  [/no second factor|nothing that the code could be tried/, 'no_factor'],
  [/not activated/, 'not_activated'],
  [/switched off|may not log in|does not admit the user any more/, 'not_allowed'],
  [/no such user|no such domain|has gone|no administrator/, 'unknown'],
  [/^refused: the client /, 'client_closed'],
  [/no code/, 'no_code'],
  [/too many|daily quota/, 'too_many'],
  [/nothing was sent/, 'unsent'],
  [/could not be kept/, 'unkept'],
  [/could not be judged|verification server has judged/, 'unjudged'],
];

/** Undefined: it is none. */
function limitOf(text: string): Meaning | undefined {
  const what = limits.find(([form]) => form.test(text))?.[1];
  const [, until] = / until (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)/.exec(text) ?? [];
  return what === undefined
    ? undefined
    : { kind: 'limit', outcome: 'refused', what, ...(until !== undefined && { until }) };
}

/** Undefined: it is about none. */
function linkOf(text: string): Meaning | undefined {
  const what = links.find(([form]) => form.test(text))?.[1];
  return what === undefined
    ? undefined
    : { kind: 'link', outcome: what === 'unset' ? 'refused' : 'done', what };
}

const links: readonly (readonly [form: RegExp, what: string])[] = [
  [/^a link to .*: (?:sent by|given to) /, 'sent'],
  [/^the password was set by a link$/, 'set'],
  [/^a password was refused$/, 'unset'],
  [/ was registered by a link$/, 'registered'],
];

const limits: readonly (readonly [form: RegExp, what: string])[] = [
  [/^(?:locked out|refused) at /, 'lockout'],
  [/^nothing is judged at /, 'daily_quota'],
  [/ is not tried (?:as a single factor at unknown sources|alone at unknown places): /, 'authenticator_cap'],
  [/ is disabled: /, 'token_disabled'],
  [/ is (?:no longer a known source|known no more): /, 'source_forgotten'],
  [/ has passed on more than /, 'caller_watched'],
];

const verdicts: Readonly<Record<string, Meaning['outcome']>> = {
  begun: 'begun',
  confirmed: 'granted',
  granted: 'granted',
  refused: 'refused',
  canceled: 'over',
  ended: 'over',
  over: 'over',
};
