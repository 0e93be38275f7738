/**
 * Endpoints for phones: authenticator apps confirm a mobile session with JSON, and people with other apps on a page. A short address in a
 * QR code answers with the long URI.
 */

import type { TimedClaims } from '../../../authenticators/authenticator.ts';
import type { ServiceConfig } from '../../../config/config.ts';
import { type RecordingPorts, recordEvent } from '../../../events/recorded.ts';
import { isReason, ServiceError } from '../../../foundation/errors/errors.ts';
import { refusalTable } from '../../../foundation/errors/refusal-table.ts';
import { formFields } from '../../../foundation/http/form.ts';
import type { WebResponse } from '../../../foundation/http/http.ts';
import { Dn } from '../../../foundation/text/dn.ts';
import { parseMembers } from '../../../foundation/text/json.ts';
import { printable } from '../../../ports/event-log/event-log.ts';
import type { Log } from '../../../ports/log/log.ts';
import { type Random, randomWord } from '../../../ports/random.ts';
import type { Page, PageRequest } from '../../../table/page.ts';
import { type LanguageView, wordsFor } from '../page-words/index.ts';
import { longUri } from '../token/token-uri.ts';
import {
  type Confirmation,
  type ConfirmationResult,
  type ConfirmationView,
  confirmSession,
} from './mobile-confirmation.ts';
import { confirmedPage, formPage, laterPage, overPage } from './mobile-page.ts';
import type { Device } from './mobile-record.ts';
import { findOpenSession } from './mobile-session.ts';

/** The context of a confirmation, with its event. */
export interface RecordingView extends ConfirmationView, RecordingPorts {
  readonly random: Random;
  readonly clock: ConfirmationView['clock'];
  readonly log: Log;
}

/** ... and how deep a body may be. */
export type MobileDoorView = RecordingView & {
  readonly config: Pick<ServiceConfig, 'default_language'> & {
    readonly limits: Pick<ServiceConfig['limits'], 'depth'>;
  };
};

/** A confirmation is short, whatever the limit on bodies. In bytes. */
const longestBody = 16_384;

/** `/otp/mobile` */
export const answerMobile: Page<MobileDoorView> = async (request, core) => {
  if (request.method === 'GET') return showForm(request, core);
  const isForm = /^application\/x-www-form-urlencoded\b/i.test(request.contentType ?? '');
  try {
    const body = await request.body();
    if (body.length > longestBody) throw new ServiceError('too_large');
    return isForm ? await answerForm(body, request, core) : await answerJson(body, request, core);
  } catch (error) {
    if (isReason(error, 'parse_error', 'invalid_request', 'invalid_params', 'too_large'))
      return json(400, { code: 0, message: 'Invalid request' });
    throw error;
  }
};

/** `/ws/otp/?action=qruri&session=…` */
export const answerShortAddress: Page<TimedClaims> = async ({ session = '' }, core) => {
  const uri = await longUri(session, core);
  const headers = { 'content-type': 'text/plain; charset=utf-8', ...unkept };
  return uri === undefined
    ? { status: 404, headers, body: refusalTable.NoSession }
    : { status: 200, headers, body: uri };
};

/** Headers that keep an answer out of caches: its reader could confirm in another's place. */
const unkept = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' };

const messages: Readonly<Record<ConfirmationResult['kind'], string>> = {
  confirmed: 'Registration confirmed',
  refused: 'Invalid code',
  unkept: refusalTable.ServerError,
  over: refusalTable.NoSession,
  unknown: refusalTable.NoSession,
};

async function answerJson(
  body: Uint8Array,
  { address }: PageRequest,
  core: MobileDoorView,
): Promise<WebResponse> {
  const given = readMembers(body, core.config.limits.depth);
  const verdict = await confirm(given, address, core);
  const status = verdict.kind === 'unkept' ? 503 : 200;
  return json(status, { code: verdict.kind === 'confirmed' ? 1 : 0, message: messages[verdict.kind] });
}

/** Texts of the event log. */
const events: Readonly<Record<ConfirmationResult['kind'], string>> = {
  confirmed: 'confirmed',
  refused: 'refused',
  unkept: 'refused: right, but the token could not be kept on the entry',
  over: 'over',
  unknown: 'unknown',
};

const json = (status: number, answer: { code: 0 | 1; message: string }): WebResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...unkept },
  body: JSON.stringify(answer),
});

async function showForm(
  { session = '', languages }: PageRequest,
  core: TimedClaims & LanguageView,
): Promise<WebResponse> {
  const words = wordsFor(languages, core);
  const open = await findOpenSession(session, core);
  return open
    ? formPage({ session, needsPincode: open.begun.pincode !== undefined }, words)
    : overPage(words);
}

async function answerForm(
  body: Uint8Array,
  { address, languages }: PageRequest,
  core: RecordingView & LanguageView,
): Promise<WebResponse> {
  const words = wordsFor(languages, core);
  const fields = formFields(body);
  const [session, otp] = [fields.get('session') ?? '', fields.get('otp') ?? ''];
  const pincode = fields.get('pincode') ?? undefined;
  const verdict = await confirm({ session, otp, pincode, device: {} }, address, core);
  if (verdict.kind === 'confirmed') return confirmedPage(words);
  if (verdict.kind === 'unkept') return laterPage(words);
  return verdict.kind === 'refused'
    ? formPage({ session, ...verdict, isWrong: true }, words)
    : overPage(words);
}

async function confirm(
  given: Confirmation,
  address: string,
  core: RecordingView,
): Promise<ConfirmationResult> {
  const verdict = await confirmSession(given, core);
  // Of sessions that nobody began there may be any number: they must not fill the log.
  if (verdict.kind !== 'unknown') await record(verdict, address, core);
  return verdict;
}

/** The answer waits until the event is kept (docs/concepts/stores-and-nodes.md#event-log). */
async function record(
  verdict: ConfirmationResult,
  address: string,
  core: Pick<RecordingView, 'names' | 'random'> & RecordingPorts,
): Promise<void> {
  const id = randomWord(core.random, 8);
  const user = 'user' in verdict ? verdict.user : undefined;
  const entry = {
    application: core.names.theirs('Otp'),
    ...(user !== undefined && { dn: Dn.parse(user) }),
    text: `Mobile session: ${events[verdict.kind]}`,
    facts: { user: user ?? '', operation: 'Mobile session', outcome: verdict.kind },
  };
  await recordEvent(entry, { id, client: address }, core);
}

/** @throws ServiceError `parse_error`, `invalid_request`, `too_large`; `invalid_params` naming what is no text */
function readMembers(body: Uint8Array, depth: number): Confirmation {
  const members = new Map(parseMembers(body, depth));
  const session = readText(members.get('session'), 'session') ?? '';
  const otp = readText(members.get('otp'), 'otp') ?? '';
  const pincode = readText(members.get('pincode'), 'pincode');
  return { session, otp, pincode, device: readDevice(members.get('device')) };
}

function readDevice(given: unknown): Device {
  if (given === undefined || given === null) return {};
  if (typeof given !== 'object' || Array.isArray(given)) throw notText('device');
  const parts = new Map(Object.entries(given));
  const part = (name: string) => readText(parts.get(name), `device.${name}`)?.slice(0, 255);
  const [id, model, serial] = [part('push') ?? part('id'), part('model'), part('serial')];
  return { ...(id && { id }), ...(model && { model }), ...(serial && { serial }) };
}

function readText(value: unknown, name: string): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'string' && typeof value !== 'number') throw notText(name);
  return printable(String(value));
}

const notText = (name: string): ServiceError =>
  new ServiceError('invalid_params', { detail: `Parameter ${name} not String` });
