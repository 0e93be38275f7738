/**
 * The login function, one for all doors: SOAP, REST, the core in process (webservices.md §4). What an attempt goes
 * through on its way: visit.ts → account.ts → attempt.ts → secrets.ts → code-verdict.ts → codes.ts.
 */

import { whyNoLogin, wrongPassword } from '../directory/bind-refusal.ts';
import type { View } from '../method.ts';
import type { OperationCall } from '../operation.ts';
import { read } from '../setting.ts';
import { type Absent, type Account, findAccount } from './account.ts';
import { judgeAttempt, refused, type Verdict } from './attempt.ts';
import { admitsChallenge, beginChallenge } from './challenge.ts';
import { granted, judgeCode } from './code-verdict.ts';
import { codeLengths, factorOf, isRightNow, presetFactor } from './codes.ts';
import type { Factor, LoginOutcome, LoginRequest, LoginSecrets } from './login-request.ts';
import { type Reading, readSecrets, wantedFactors } from './secrets.ts';
import { otpSettings } from './settings.ts';
import { hasClosedAlone } from './tried-code.ts';
import { receiveVisit, type Visit } from './visit.ts';

/** Judges a login. @throws ServiceError `invalid_params`, `unavailable` */
export async function login(
  request: LoginRequest & LoginSecrets,
  call: OperationCall,
): Promise<LoginOutcome> {
  const begun = call.core.clock.now();
  const visit = receiveVisit(request, call);
  const view = { core: call.core, directory: call.core.directory.service };
  const found = await findAccount(visit, view);
  return judgeAttempt(
    { visit, found, call, begun },
    {
      judge: (account) => judgeSecrets(request, { account, visit, view }),
      judgeAbsent: (absent) => judgeNobody(request, absent, { visit, view }),
    },
  );
}

/** A login at work. */
interface Ground {
  readonly account: Account;
  readonly visit: Visit;
  readonly view: View;
}

async function judgeSecrets(secrets: LoginSecrets, ground: Ground): Promise<Verdict> {
  const { account, visit } = ground;
  const wanted = wantedFactors(account, visit);
  if (!wanted) return refused('nothing that the login mode wants can be judged', 'address', 'user');
  if (!wanted.password) return judgeCodeAlone(secrets, ground);
  const readings = readSecrets(secrets, wanted, lengthsOf(ground));
  const { right: reading, why } = await findRight(readings, ground);
  if (!reading) return refused(why, 'address', 'user');
  if (!wanted.code) return granted(account, { by: ['password'], concat: 0 });
  if (reading.code !== undefined) return judgeCode(reading, ground, { behind: true });
  return ask(ground);
}

/** The password was right, the code is missing. */
async function ask({ account, visit, view }: Ground): Promise<Verdict> {
  const factor = factorOf(account, view);
  if (!factor) return refused('the user has no second factor');
  if (read(account.settings, otpSettings.ChallengeMode) !== 'Yes')
    return refused('password right, no code, and nobody is to be asked for it', 'address', 'user');
  const outcome = await beginChallenge(account, { visit, factor, behind: true, core: view.core });
  return { outcome, blamed: [], text: `password right, waiting for ${factor}` };
}

const codeOnly = { password: false, code: true };

/** Of a login that wants a code and no password. */
async function judgeCodeAlone(secrets: LoginSecrets, ground: Ground): Promise<Verdict> {
  const { account, visit, view } = ground;
  const [reading] = readSecrets(secrets, codeOnly, lengthsOf(ground));
  if (!reading?.code) return askAlone(account, { visit, view, factor: factorOf(account, view) });
  const isClosed = await hasClosedAlone(account, view);
  return (
    (isClosed && (await judgeTogether(secrets, ground))) || judgeCode(reading, ground, { behind: false })
  );
}

/**
 * A password given counts though the mode ignores it, where too many wrong codes have closed what the user has
 * (concepts.md §7, 6). Undefined: none is right.
 */
async function judgeTogether(secrets: LoginSecrets, ground: Ground): Promise<Verdict | undefined> {
  const readings = readSecrets(secrets, { password: true, code: true }, lengthsOf(ground));
  const complete = readings.filter(({ password, code }) => password !== undefined && code !== undefined);
  const { right } = await findRight(complete, ground);
  return right && judgeCode(right, ground, { behind: true });
}

/**
 * Where a code alone is wanted and none has come, everybody is asked, so that names are not told apart: also who is not
 * there, or has nothing that a code could be of.
 */
async function askAlone(
  { dn, settings }: Pick<Account, 'dn' | 'settings'>,
  { visit, view: { core }, factor = presetFactor(settings) }: Asking,
): Promise<Verdict> {
  if (read(settings, otpSettings.ChallengeMode) !== 'Yes')
    return refused('no code, and nobody is to be asked for it', 'address', 'token');
  if (!(await admitsChallenge(visit, core)))
    return { ...refused('too many challenges were begun from there'), isNoEvent: true };
  const outcome = await beginChallenge({ dn, settings }, { visit, factor, behind: false, core });
  return { outcome, blamed: [], text: `no code, waiting for ${factor}`, isNoEvent: true, isHeldBack: true };
}

interface Asking extends Pick<Ground, 'visit' | 'view'> {
  readonly factor?: Factor | undefined;
}

/** As a user is judged who has nothing of its own; a password costs what any password costs. */
async function judgeNobody(
  secrets: LoginSecrets,
  { dn, why, preset }: Absent,
  { visit, view }: Pick<Ground, 'visit' | 'view'>,
): Promise<Verdict> {
  if (!preset || wantedFactors(preset, visit)?.password !== false) {
    const password = 'anyPassword' in secrets ? secrets.anyPassword : secrets.password;
    await view.core.directory.authenticate(dn, password || 'x');
    return refused(why, 'address', 'user');
  }
  const [reading] = readSecrets(secrets, codeOnly, () => []);
  if (reading?.code) return refused(why, 'address', 'token');
  return askAlone({ dn, settings: preset.settings }, { visit, view });
}

const lengthsOf =
  ({ account, view }: Ground) =>
  (text: string): readonly number[] =>
    codeLengths(text, account, view);

/**
 * The reading whose password is right. One with a code that is right now is tried first: it is what was meant. Else
 * `why`: of several readings one can be of a password that has expired, and the others are wrong.
 */
async function findRight(
  readings: readonly Reading[],
  { account, view }: Ground,
): Promise<{ readonly right?: Reading; readonly why: string }> {
  let why = wrongPassword;
  for (const reading of await likelyFirst(readings, { account, view })) {
    const fault = await passwordFault(account, reading.password ?? '', view);
    if (fault === undefined) return { right: reading, why };
    if (fault !== wrongPassword) why = fault;
  }
  return { why };
}

async function likelyFirst(
  readings: readonly Reading[],
  { account, view }: Pick<Ground, 'account' | 'view'>,
): Promise<readonly Reading[]> {
  if (readings.length < 2) return readings;
  const right = await Promise.all(
    readings.map(async ({ code }) => code !== undefined && (await isRightNow(code, account, view))),
  );
  return [...readings.filter((_, index) => right[index]), ...readings.filter((_, index) => !right[index])];
}

/** For the event log; undefined: it is right, and logs in. */
async function passwordFault(
  { dn, entry }: Account,
  password: string,
  { core }: View,
): Promise<string | undefined> {
  if (password === '') return wrongPassword;
  return whyNoLogin(await core.directory.authenticate(dn, password, entry));
}
