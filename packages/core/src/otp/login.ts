/**
 * The login function, one for all doors: SOAP, REST, the core in process (webservices.md §4). What an attempt goes
 * through on its way: visit.ts → account.ts → attempt.ts → secrets.ts → codes.ts.
 */
import type { Dn } from '../directory/dn.ts';
import { ServiceError } from '../errors.ts';
import type { View } from '../method.ts';
import type { OperationCall } from '../operation.ts';
import { type Account, findAccount, findAccountAgain } from './account.ts';
import { type Attempt, judgeAttempt, refused, type Verdict } from './attempt.ts';
import { beginChallenge, type Challenge, findChallenge, takeChallenge } from './challenge.ts';
import { codeLengths, factorOf, findCode, type RightCode } from './codes.ts';
import type { ChallengeAnswer, Factor, LoginOutcome, LoginRequest, LoginSecrets } from './login-request.ts';
import { type Reading, readSecrets, wantedFactors } from './secrets.ts';
import { countWrongCode } from './token-codes.ts';
import { readVisit, receiveVisit, type Visit } from './visit.ts';

/** Judges a login. @throws ServiceError `invalid_params`, `unavailable` */
export async function login(
  request: LoginRequest & LoginSecrets,
  call: OperationCall,
): Promise<LoginOutcome> {
  const begun = call.core.clock.now();
  const visit = receiveVisit(request, call);
  const view = viewOf(call);
  const found = await findAccount(visit, view);
  return judgeAttempt(
    { visit, found, call, begun },
    {
      judge: (account) => judgeSecrets(request, { account, visit, view }),
      judgeAbsent: () => tryPassword(found.dn, passwordIn(request), view),
    },
  );
}

/**
 * Judges the answer to a challenge. With another user's name it fails, and the session lives on.
 * @throws ServiceError `invalid_params`, `not_found`, `unavailable`
 */
export async function answerChallenge(
  { otp, session, ...named }: ChallengeAnswer,
  call: OperationCall,
): Promise<LoginOutcome> {
  const begun = call.core.clock.now();
  const challenge = await findChallenge(session, call.core);
  const { dn, address, request } = challenge;
  const view = viewOf(call);
  const visit = readVisit(request, { ...call, caller: { address } });
  const isSame = await namesUser(dn, { named, challenge, call });
  const found = isSame
    ? await findAccountAgain(dn, visit, view)
    : { dn, why: 'the challenge is another user’s' };
  const attempt: Attempt = { visit, found, call, begun };
  return judgeAttempt(attempt, {
    judge: (account) => judgeAnswer(otp, { account, visit, view }, session ?? ''),
    judgeAbsent: async () => {},
  });
}

const viewOf = ({ core }: OperationCall): View => ({ core, directory: core.directory.service });

/** A login at work. */
interface Ground {
  readonly account: Account;
  readonly visit: Visit;
  readonly view: View;
}

async function judgeSecrets(secrets: LoginSecrets, ground: Ground): Promise<Verdict> {
  const { account, visit, view } = ground;
  const wanted = wantedFactors(account, visit);
  if (!wanted) return refused('nothing that the login mode wants can be judged', 'address', 'user');
  const readings = readSecrets(secrets, wanted, (text) => codeLengths(text, account, view));
  const reading = wanted.password ? await findRight(readings, ground) : readings[0];
  if (!reading) return refused('wrong password', 'address', 'user');
  if (!wanted.code) return granted(account, { by: 'password', concat: 0 });
  if (reading.code !== undefined) return judgeCode(reading, ground, wanted.password);
  if (!wanted.password) return refused('no code', 'address', 'user');
  const factor = factorOf(account, view);
  if (!factor) return refused('the user has no second factor');
  if (account.settings.get('Otp.ChallengeMode') === 'No')
    return refused('password right, no code, and nobody is to be asked for it', 'address', 'user');
  const outcome = await beginChallenge(account, { visit, factor, core: view.core });
  return { outcome, blamed: [], text: `password right, waiting for ${factor}` };
}

/** The reading whose password is right. One with a code that is right now is tried first: it is what was meant. */
async function findRight(
  readings: readonly Reading[],
  { account, view }: Ground,
): Promise<Reading | undefined> {
  for (const reading of await likelyFirst(readings, { account, view })) {
    if (await isPassword(account.dn, reading.password ?? '', view)) return reading;
  }
  return undefined;
}

async function likelyFirst(
  readings: readonly Reading[],
  { account, view }: Pick<Ground, 'account' | 'view'>,
): Promise<readonly Reading[]> {
  if (readings.length === 1) return readings;
  const right = await Promise.all(
    readings.map(
      async ({ code }) => code !== undefined && (await findCode(code, account, view)) !== undefined,
    ),
  );
  return [...readings.filter((_, index) => right[index]), ...readings.filter((_, index) => !right[index])];
}

/** The password is right where one was wanted; now the code decides. */
async function judgeCode(
  { code = '', concat }: Pick<Reading, 'code' | 'concat'>,
  ground: Ground,
  hasPassword: boolean,
): Promise<Verdict> {
  const right = await findCode(code, ground.account, ground.view);
  if (!right) return wrongCode(ground, hasPassword);
  return spend(right, ground, { hasPassword, concat });
}

/** A code that is right logs in once. */
async function spend(
  right: RightCode,
  { account }: Ground,
  { hasPassword, concat }: { hasPassword: boolean; concat: number },
): Promise<Verdict> {
  const { factor } = right;
  switch (await right.use()) {
    case 'ours':
      return granted(account, { by: hasPassword ? `password and ${factor}` : factor, concat });
    case 'taken':
      return lateCode(hasPassword);
    case 'unkept':
      return unkept(factor);
  }
}

/** The session is taken before the code is claimed: two codes do not make two logins of one challenge. */
async function judgeAnswer(otp: string | undefined, ground: Ground, session: string): Promise<Verdict> {
  const { account, view } = ground;
  if (otp === undefined) return refused('no code');
  const right: RightCode | undefined = await findCode(otp, account, view);
  if (!right) return wrongCode(ground, true);
  await takeChallenge(session, view.core);
  return spend(right, ground, { hasPassword: true, concat: 0 });
}

/** In a mode without a password anybody may try codes: they count against the user, who is blocked for a while. */
async function wrongCode({ account, view }: Ground, hasPassword: boolean): Promise<Verdict> {
  if (!hasPassword) return refused('wrong code', 'address', 'user');
  const disabled = await countWrongCode(account, view);
  const slots = disabled.map((slot) => `; token ${slot} is disabled after too many wrong codes`).join('');
  return refused(`password right, wrong code${slots}`, 'address', 'token');
}

/** Whoever knows a right code does not guess: it counts, but not towards the end of the token. */
const lateCode = (hasPassword: boolean): Verdict =>
  refused('another login was faster with the same code', 'address', hasPassword ? 'token' : 'user');

/** Nobody's failure, and the code was not used up. What is wrong with the entry, the log tells. */
const unkept = (factor: Factor): Verdict => ({
  outcome: new ServiceError('unavailable', { detail: 'the state of the code cannot be kept' }),
  blamed: [],
  text: `refused: right, but the state of the ${factor} code could not be kept on the entry`,
});

const granted = ({ settings }: Account, { by, concat }: { by: string; concat: number }): Verdict => ({
  outcome: { kind: 'granted', data: settings.get('Otp.ReplyData') ?? '', concat },
  blamed: [],
  text: `granted by ${by}`,
});

/** Right, and good for more than setting another one: a login cannot offer that. */
async function isPassword(dn: Dn, password: string, { core }: View): Promise<boolean> {
  if (password === '') return false;
  const found = await core.directory.authenticate(dn, password);
  return found.granted && !found.mustChange;
}

const tryPassword = async (dn: Dn, password: string, { core }: View): Promise<void> => {
  await core.directory.authenticate(dn, password);
};

/** A password costs what any password costs, also where there is none. */
const passwordIn = (secrets: LoginSecrets): string =>
  ('anyPassword' in secrets ? secrets.anyPassword : secrets.password) || 'x';

/** The name of an answer is that of the user who was challenged, in this spelling or another. */
async function namesUser(
  dn: Dn,
  {
    named,
    challenge: { request, address },
    call,
  }: {
    named: Pick<LoginRequest, 'username' | 'domain'>;
    challenge: Challenge;
    call: OperationCall;
  },
): Promise<boolean> {
  if (named.username === request.username && (named.domain ?? request.domain) === request.domain) return true;
  const asked = { ...request, ...named, domain: named.domain ?? request.domain };
  const visit = readVisit(asked, { ...call, caller: { address } });
  return (await findAccount(visit, viewOf(call))).dn.equals(dn);
}
