/** One order at an ACME server (RFC 8555), from the account to the certificate. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Clock } from '@watchword/core/ports';
import * as acme from 'acme-client';
import { accountKey, assertUsable, keepOrdered, newKey } from './acme-files.ts';
import { type Answers, openAnswers } from './answers.ts';
import { type AcmeSettings, OrderError } from './order-error.ts';
import { setTransport } from './requests.ts';

/** Milliseconds between two looks at the state of an order: this much longer after each one, up to the most. */
const [pollStep, longestPoll] = [1000, 10_000];
/** The most looks at the state of an order. */
const polls = 30;

export interface OrderPlace {
  readonly config: { readonly data: string; readonly acme: AcmeSettings };
  /** Ends the order. */
  readonly signal: AbortSignal;
  readonly clock: Pick<Clock, 'now'>;
}

/** Orders a certificate, and keeps it in the data folder. @throws OrderError with the reason and its cure */
export async function orderCertificate(place: OrderPlace): Promise<void> {
  try {
    const answers = await openAnswers(place.config);
    try {
      await order(place, answers);
    } finally {
      await answers.close();
    }
  } catch (error) {
    throw OrderError.of(error, place.config.acme);
  }
}

async function order(place: OrderPlace, answers: Answers): Promise<void> {
  const { config, signal } = place;
  const { directory, domains } = config.acme;
  const client = openClient(place);
  const key = newKey();
  const [, request] = await acme.crypto.createCsr({ altNames: [...domains] }, key);
  await enterAccount(client, config.acme);
  const identifiers = domains.map((value) => ({ type: 'dns', value }));
  const placed = await client.createOrder({ identifiers });
  await proveControl(placed, { client, answers, place });
  await client.finalizeOrder(placed, request);
  const isOver = ({ status }: acme.Order) => status === 'valid' || status === 'invalid';
  const issued = await poll(() => client.getOrder(placed), { isOver, signal });
  const pair = { certificate: await client.getCertificate(issued), key };
  assertUsable(pair, domains, place.clock.now());
  keepOrdered(config, directory, pair);
}

function openClient({ config, signal }: OrderPlace): acme.Client {
  const { directory, eab } = config.acme;
  const client = new acme.Client({
    directoryUrl: directory,
    accountKey: accountKey(config),
    ...(eab?.key !== undefined && { externalAccountBinding: { kid: eab.key_id, hmacKey: eab.key } }),
  });
  setTransport(client, { ca: config.acme.ca, signal });
  return client;
}

/**
 * Finds the account of the key, or makes one. The library updates an account that it finds by the whole request for a new one, which servers
 * refuse.
 */
async function enterAccount(client: acme.Client, { email }: AcmeSettings): Promise<void> {
  const contact = email === undefined ? {} : { contact: [`mailto:${email}`] };
  const isKnown = await client.createAccount({ onlyReturnExisting: true }).then(
    () => true,
    () => false,
  );
  if (!isKnown) await client.createAccount({ termsOfServiceAgreed: true, ...contact });
  else if (email !== undefined) await client.updateAccount(contact);
}

interface Proving {
  readonly client: acme.Client;
  readonly answers: Answers;
  readonly place: OrderPlace;
}

/** Answers the challenges of an order. @throws OrderError if the ACME server refuses an answer */
async function proveControl(order: acme.Order, { client, answers, place }: Proving): Promise<void> {
  const { acme: settings } = place.config;
  for (const authorization of await client.getAuthorizations(order)) {
    if (authorization.status === 'valid') continue;
    const challenge = challengeOf(authorization, settings);
    if (!challenge)
      throw new OrderError(
        `it offers no ${settings.challenge} for ${authorization.identifier.value}`,
        'choose the other acme.challenge',
      );
    await answers.prepare(authorization, challenge, await client.getChallengeKeyAuthorization(challenge));
    await client.completeChallenge(challenge);
  }
  const judged = await poll(() => client.getAuthorizations(order), {
    isOver: (all) => all.every(({ status }) => status !== 'pending'),
    signal: place.signal,
  });
  const refused = judged.find(({ status }) => status !== 'valid');
  if (refused)
    throw OrderError.ofChallenge(refused.identifier.value, challengeOf(refused, settings), settings);
}

const challengeOf = ({ challenges }: acme.Authorization, { challenge }: AcmeSettings) =>
  challenges.find(({ type }) => type === challenge);

interface Polling<T> {
  readonly isOver: (state: T) => boolean;
  readonly signal: AbortSignal;
}

async function poll<T>(look: () => Promise<T>, { isOver, signal }: Polling<T>): Promise<T> {
  for (let round = 1; round <= polls; round += 1) {
    const state = await look();
    if (isOver(state)) return state;
    await sleep(Math.min(round * pollStep, longestPoll), undefined, { signal });
  }
  throw new OrderError('it has not decided in time', 'look at the state of the ACME server');
}
