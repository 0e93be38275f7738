/**
 * The meaning of an event, parsed from its text, so that pages can show it in other languages. The event log keeps signed texts for years:
 * texts of earlier versions are parsed, too, and unknown texts are shown as they are.
 */

export interface Meaning {
  /** `other` for a text that is not recognized. */
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
  /** The client, or the client policy, of a login. */
  readonly program?: string;
  /** The accepted factors of a login or a challenge: `password`, `TOKEN`, … */
  readonly shown?: readonly string[];
  /** The factors that a challenge waits for: `TOKEN`, `FIDO2`, … */
  readonly awaits?: readonly string[];
  /** Grace logins that remain after a login by an expired password. */
  readonly graceLogins?: number;
  /** The method of a call, the kind of a limit, the question to a phone, or the result of a link. */
  readonly what?: string;
  /** A word of {@link whyRefused} for a login, or of the error table for a call; left out where none fits. */
  readonly reason?: string;
  /** The end of a limit: `YYYY-MM-DD HH:MM:SS` in UTC. */
  readonly until?: string;
}

const plainText = { type: 'string' };
const words = { type: 'array', items: plainText };

/** The JSON schema of {@link Meaning}. */
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

/** A JSON string: its end is certain, whatever a name contains. */
const quoted = String.raw`"(?:[^"\\\x00-\x1f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"`;
/** A DN of an administrator (RFC 4514 §3). */
const someone = String.raw`[A-Za-z0-9][\w.-]*=.*`;

/** Questions to a phone, by their titles in texts. */
const asked: Groups = {
  Confirmation: 'confirm',
  Signature: 'sign',
  'Login by QR code': 'login',
  Badging: 'badge',
  Decryption: 'decrypt',
};

/** Parsers of texts; the first that matches is used. */
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

/** Parses the text of an event; never throws. */
export function meaningOf(text: string): Meaning {
  for (const [form, read] of forms) {
    const found = form.exec(text);
    if (found) return read(found.groups ?? {});
  }
  return unread;
}

const unread: Meaning = { kind: 'other', outcome: '' };

/** Parses the end of a login: `granted by password and TOKEN`. */
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

/** Reasons of refused logins, by patterns of the text; the first that matches is used. */
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

/** Parses an event of a limit; undefined for other texts. */
function limitOf(text: string): Meaning | undefined {
  const what = limits.find(([form]) => form.test(text))?.[1];
  const [, until] = / until (\d{4}-\d\d-\d\d \d\d:\d\d:\d\d)/.exec(text) ?? [];
  return what === undefined
    ? undefined
    : { kind: 'limit', outcome: 'refused', what, ...(until !== undefined && { until }) };
}

/** Parses an event of a link; undefined for other texts. */
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
