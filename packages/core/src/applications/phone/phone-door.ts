/**
 * Endpoints for phones (docs/guide/transactions.md): the question of a transaction, and its answer. Phone and server each prove knowledge
 * of the token's secret: a photograph of the QR code cannot answer, and another server is not believed.
 */

import type { Settings } from '../../directory/data/layers.ts';
import { readNamedProfile, readProfile } from '../../directory/data/profile.ts';
import type { Domains } from '../../directory/domain.ts';
import { splitLogin } from '../../directory/entry/user.ts';
import type { ProfileContext } from '../../directory/view.ts';
import { isReason, ServiceError } from '../../foundation/errors/errors.ts';
import { refusalTable } from '../../foundation/errors/refusal-table.ts';
import type { WebResponse } from '../../foundation/http/http.ts';
import { parseMembers } from '../../foundation/text/json.ts';
import { isSameSecret } from '../../foundation/text/secret/same-secret.ts';
import type { Limits } from '../../limits/limits.ts';
import { userKey } from '../../limits/source.ts';
import { type Random, randomWord } from '../../ports/random.ts';
import type { Page } from '../../table/page.ts';
import { read } from '../../table/setting.ts';
import { behindWord, besidesOf } from './besides.ts';
import { type DecidingView, decideTransaction } from './outcome.ts';
import { isProof, proofOf, shownOf, tokenName } from './protocol.ts';
import { answering } from './push.ts';
import { phoneSettings } from './settings.ts';
import { isPending, lookUpTransaction, type PhoneTransaction, type TransactionOwner } from './transaction.ts';

/** The parts of a service that the endpoints need. */
export interface PhoneView extends ProfileContext, Omit<DecidingView, keyof Named> {
  readonly names: DecidingView['names'];
  readonly keys: DecidingView['keys'];
  readonly log: ProfileContext['log'] & DecidingView['log'];
  readonly random: Random;
  readonly limits: Pick<Limits, 'look'>;
  readonly domains: Domains;
  readonly config: ProfileContext['config'] & { readonly limits: { readonly depth: number } };
}

/** The names of a decision in the audit. */
type Named = Pick<DecidingView, 'application' | 'operation' | 'transaction'>;

/** Longest body in bytes. */
const longestBody = 4096;
/** Longest name in characters. */
const longestName = 1024;
const longestLocation = 64;

interface PhoneRequest {
  readonly session: string;
  /** The name of the token on the phone. */
  readonly token: string;
  /** The user of the phone, `domain\\username`, where the session has no user yet. */
  readonly user: string;
  /** Left out: it only looks. */
  readonly decision?: 'confirm' | 'refuse';
  /** The proof of that. */
  readonly response: string;
  /** The place of a badging, `<latitude>,<longitude>`; empty: not reported. */
  readonly location: string;
  /** The key of the envelope that it opens, 64 hexadecimal digits. */
  readonly key: string;
}

/** `/otp/transaction` */
export const answerPhone: Page<PhoneView> = async (request, view) => {
  if (request.method !== 'POST') return json(405, { code: 0, message: 'POST JSON here' });
  try {
    const body = await request.body();
    if (body.length > longestBody) throw new ServiceError('too_large');
    return await answer(readRequest(body, view.config.limits.depth), request.address, view);
  } catch (error) {
    if (isReason(error, 'parse_error', 'invalid_request', 'invalid_params', 'too_large'))
      return json(400, { code: 0, message: 'Invalid request' });
    throw error;
  }
};

const json = (status: number, answer: object): WebResponse => ({
  status,
  headers: {
    'content-type': 'application/json',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  },
  body: JSON.stringify(answer),
});

const over = () => json(200, { code: 0, message: refusalTable.NoSession });

/** @throws ServiceError `parse_error`, `invalid_request`, `too_large`, `invalid_params` */
function readRequest(body: Uint8Array, depth: number): PhoneRequest {
  const members = new Map(parseMembers(body, depth));
  const text = (name: string): string => {
    const value = members.get(name) ?? '';
    if (typeof value !== 'string') throw new ServiceError('invalid_params');
    return value;
  };
  const decision = text('decision');
  if (decision !== '' && decision !== 'confirm' && decision !== 'refuse')
    throw new ServiceError('invalid_params');
  return {
    ...{ session: text('session'), token: text('token'), response: text('response'), user: text('user') },
    ...{ location: text('location').slice(0, longestLocation), key: text('key') },
    ...(decision !== '' && { decision }),
  };
}

async function answer(given: PhoneRequest, address: string, view: PhoneView): Promise<WebResponse> {
  const transaction = /^[A-Za-z0-9]{16}$/.test(given.session)
    ? await lookUpTransaction(given.session, view)
    : undefined;
  const isAsked = transaction && transaction.state.recipient === undefined;
  if (!isAsked || !isPending(transaction.state, view.clock.now())) return over();
  const proving = await provingOf(transaction, given, view);
  if (!proving) return over();
  return given.decision === undefined
    ? json(200, show(transaction, proving.secret, view.clock.now()))
    : decide(transaction, { ...given, ...proving, decision: given.decision, address }, view);
}

/** The answering user and token. */
interface Proving {
  readonly secret: Uint8Array;
  readonly settings: Settings;
  readonly owner: TransactionOwner;
}

/** Returns the proof by a usable token of the user; undefined: it is none of them, or there is no such user. */
async function provingOf(
  { state }: PhoneTransaction,
  { token, user }: PhoneRequest,
  view: PhoneView,
): Promise<Proving | undefined> {
  try {
    const found = state.owner
      ? { profile: await readProfile(state.owner.dn, view), owner: state.owner }
      : await namedOwner(user, view);
    const { profile, owner } = found;
    const { block } = await view.limits.look(userKey(owner.dn), 'web');
    if (profile.id !== owner.id || block || !read(profile.settings, phoneSettings.EnableConfirm))
      return undefined;
    const tokens = answering(profile, view.clock.now());
    const secret = tokens.find((one) => isSameSecret(tokenName(one.secret), token.toLowerCase()))?.secret;
    return secret && { secret, owner, settings: profile.settings };
  } catch (error) {
    if (isReason(error, 'not_found')) return undefined;
    throw error;
  }
}

/** @throws ServiceError `not_found` */
async function namedOwner(user: string, view: PhoneView) {
  const { domain, name: username, whole } = splitLogin(user.slice(0, longestName), view.domains);
  const profile = await readNamedProfile({ username, whole, domain: domain?.name }, view);
  const name = { username: whole ?? username, domain: (domain ?? view.domains.preset).name };
  return { profile, owner: { dn: profile.dn, id: profile.id, name } };
}

function show(transaction: PhoneTransaction, secret: Uint8Array, now: number): object {
  const { state } = transaction;
  const { kind, challenge, issuer, client, data, file, ends } = state;
  return {
    ...{ code: 2, message: 'Session already started', kind, challenge, issuer, client, data },
    ...(file !== undefined && { file }),
    timeout: Math.ceil((ends - now) / 1000),
    proof: proofOf('show', shownOf(transaction), secret),
  };
}

async function decide(
  transaction: PhoneTransaction,
  given: PhoneRequest & {
    readonly decision: 'confirm' | 'refuse';
    readonly address: string;
  } & Proving,
  view: PhoneView,
): Promise<WebResponse> {
  const { decision, response, secret, owner } = given;
  const said = { ...given, id: owner.id };
  const behind = decision === 'confirm' ? behindWord(transaction.state, said) : '';
  const word = behind === '' ? decision : (`confirm ${behind}` as const);
  if (!isProof(response, word, shownOf(transaction), secret))
    return json(200, { code: 0, message: 'Invalid response' });
  const ground = { keys: view.keys, now: view.clock.now() };
  const besides = decision === 'confirm' ? besidesOf(transaction.state, said, ground) : undefined;
  if (typeof besides === 'string') return json(200, { code: 0, message: besides });
  const verdict = decision === 'confirm' ? 'confirmed' : 'refused';
  const call = {
    ...view,
    application: { name: 'Otp' },
    operation: 'Phone',
    transaction: { id: randomWord(view.random, 8), client: given.address },
  };
  const isFirst = await decideTransaction(
    transaction,
    { verdict, auditText: `${verdict} on the phone`, owner, besides },
    call,
  );
  return isFirst ? json(200, { code: 1, message: `Request ${verdict}` }) : over();
}
