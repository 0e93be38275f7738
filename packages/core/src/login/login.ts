/**
 * The login function, one for all doors: SOAP, REST, the core in process (webservices.md §4). What an attempt goes
 * through on its way: visit.ts → account.ts → attempt.ts → secrets.ts → password-verdict.ts, code-verdict.ts.
 */

import type { Factor } from '../authenticators/code/authenticator.ts';
import { codeLengths, factorOf, presetFactor, presetLengths } from '../authenticators/code/codes.ts';
import { distinctAuthenticators, isMoreOpenBehind, isRightNow } from '../authenticators/code/tried-code.ts';
import { decoyUser } from '../directory/entry/user.ts';
import { tooManyHalfRight } from '../limits/kept/together.ts';
import { read } from '../table/setting.ts';
import type { Dn } from '../text/dn.ts';
import { type Absent, type Account, type Found, findAccount } from './account/account.ts';
import { naming } from './account/account-name.ts';
import { judgeAttempt, type LoginAttempt } from './attempt.ts';
import { admitsChallenge, beginChallenge } from './challenge.ts';
import { granted, judgeCode } from './code-verdict.ts';
import type { LoginOutcome, LoginRequest, LoginSecrets } from './login-request.ts';
import { readVisit, tellIgnored, type Visit } from './login-visit.ts';
import { type AdmittedLogin, findRight, tryInVain } from './password-verdict.ts';
import { codeOnly, readSecrets, wantedFactors, wholeReadings } from './secrets.ts';
import { loginSettings } from './settings.ts';
import { refused, unjudged, type Verdict } from './verdict.ts';
import type { LoginCall, LoginView } from './view.ts';
import { judgeWhole } from './whole-verdict.ts';

/** Judges a login. @throws ServiceError `invalid_params`, `unavailable` */
export async function login(request: LoginRequest & LoginSecrets, call: LoginCall): Promise<LoginOutcome> {
  const begun = call.clock.now();
  const visit = readVisit(request, call);
  const found = await findAccount(visit, call);
  tellIgnored(visit, found, call);
  const outcome = await judgeAttempt(
    { visit, found, call, begun, ...waysOf(request, found, { visit, view: call }) },
    {
      judge: (account, admission) => {
        const admitted = { account, visit, view: call, admission };
        if (admission.isInVain) return judgeInVain(request, admitted);
        return admission.kind === 'together'
          ? judgeWhole(wholeReadings(request, lengthsOf(admitted)), admitted)
          : judgeSecrets(request, admitted);
      },
      judgeAbsent: (absent, admission) =>
        judgeNobody(request, nobodyAs(absent), { visit, view: call, admission }),
    },
  );
  return naming(outcome, found.account);
}

/** What the request would try alone, and whether it shows both. */
function waysOf(
  secrets: LoginSecrets,
  found: Found,
  { visit, view }: Pick<AdmittedLogin, 'visit' | 'view'>,
): Pick<LoginAttempt, 'alone' | 'together'> {
  const { account } = found;
  const preset = account ?? found.preset;
  const wanted = preset && wantedFactors(preset, visit);
  if (!wanted) return { alone: { password: !preset, codes: [] }, together: 'nothing' };
  const lengths = account ? lengthsOf({ account, view }) : () => presetLengths(preset.settings);
  const [reading] = readSecrets(secrets, codeOnly, lengths);
  const triesCode = !wanted.password && account !== undefined && reading?.code !== undefined;
  return {
    alone: {
      password: wanted.password,
      codes: triesCode ? distinctAuthenticators(account, view).map(({ key }) => key) : [],
    },
    together: wholeReadings(secrets, lengths).length > 0 ? 'both' : 'nothing',
  };
}

async function judgeSecrets(secrets: LoginSecrets, admitted: AdmittedLogin): Promise<Verdict> {
  const { account, visit } = admitted;
  const wanted = wantedFactors(account, visit);
  if (!wanted) return refused('nothing that the login mode wants can be judged');
  if (!wanted.password) return judgeCodeAlone(secrets, admitted);
  const readings = readSecrets(secrets, wanted, lengthsOf(admitted));
  const { right, why, wrong } = await findRight(readings, admitted);
  if (!right) {
    const codes = wanted.code
      ? readings.flatMap(({ password = '', code }) => (password && code ? [code] : []))
      : [];
    const isHalfRight = (await Promise.all(codes.map((code) => isRightNow(code, admitted)))).includes(true);
    return refused(why, { isHalfRight, wrongPasswords: wrong, passedOn: wrong });
  }
  if (!wanted.code)
    return granted(account, { by: ['password'], used: ['password'], concat: 0, passedOn: wrong });
  if (right.code !== undefined) return judgeCode(right, admitted, { behind: true, passedOn: wrong });
  return ask(admitted, wrong);
}

/** The password was right, the code is missing. */
async function ask({ account, visit, view }: AdmittedLogin, passedOn: number): Promise<Verdict> {
  const factor = factorOf(account, view);
  if (!factor) return refused('the user has no second factor', { passedOn });
  if (!read(account.settings, loginSettings.ChallengeMode))
    return refused('password right, no code, and nobody is to be asked for it', { passedOn });
  const outcome = await beginChallenge(account, { visit, factor, behind: true, view });
  return { outcome, counts: { end: 'neither', passedOn }, text: `password right, waiting for ${factor}` };
}

/** Of a login that wants a code and no password. */
async function judgeCodeAlone(secrets: LoginSecrets, admitted: AdmittedLogin): Promise<Verdict> {
  const { account, visit, view } = admitted;
  const [reading] = readSecrets(secrets, codeOnly, lengthsOf(admitted));
  if (!reading?.code) return askAlone(account, { visit, view, factor: factorOf(account, view) });
  const whole = wholeReadings(secrets, lengthsOf(admitted));
  // A password given counts though the mode ignores it, where some of what the user has is closed (§7, 6).
  if (whole.length === 0 || !(await isMoreOpenBehind(admitted)))
    return judgeCode(reading, admitted, { behind: false });
  const { right, wrong } = await findRight(whole, admitted);
  if (right) return judgeCode(right, admitted, { behind: true, passedOn: wrong });
  const verdict = await judgeCode(reading, admitted, { behind: false, passedOn: wrong });
  return { ...verdict, counts: { ...verdict.counts, wrongPasswords: wrong } };
}

/**
 * Where a code alone is wanted and none has come, everybody is asked, so that names are not told apart: also who is not
 * there, or has nothing that a code could be of.
 */
async function askAlone(
  user: Pick<Account, 'dn' | 'settings'>,
  { visit, view, factor = presetFactor(user.settings) }: Asking,
): Promise<Verdict> {
  if (!read(user.settings, loginSettings.ChallengeMode))
    return refused('no code, and nobody is to be asked for it');
  if (!(await admitsChallenge(visit, view))) return unjudged('too many challenges were begun from there');
  const outcome = await beginChallenge(user, { visit, factor, behind: false, view });
  const text = `no code, waiting for ${factor}`;
  return { outcome, counts: { end: 'neither' }, text, isNoEvent: true, isHeldBack: true };
}

interface Asking {
  readonly visit: Visit;
  readonly view: LoginView;
  readonly factor?: Factor | undefined;
}

/** Somebody who does not log in, whatever is shown. */
interface Nobody extends Pick<Absent, 'dn' | 'why' | 'preset'> {
  /** Whose challenge is begun where everybody is asked for a code. */
  readonly challenged: Dn;
  readonly lengths: (text: string) => readonly number[];
  readonly factor?: Factor | undefined;
}

const nobodyAs = (absent: Absent): Nobody => ({
  ...absent,
  challenged: absent.dn,
  lengths: () => (absent.preset ? presetLengths(absent.preset.settings) : []),
});

/** As everybody is judged who shows nothing that is right, so that nobody sees that it is in vain (§7, 3). */
const judgeInVain = (secrets: LoginSecrets, { account, ...admitted }: AdmittedLogin): Promise<Verdict> =>
  judgeNobody(
    secrets,
    {
      ...{ dn: decoyUser(account.domain.base, account.dn.format()), why: tooManyHalfRight, preset: account },
      // Its answer is in vain as long as this is; an administrator may lift it before.
      challenged: account.dn,
      lengths: lengthsOf({ account, ...admitted }),
      factor: factorOf(account, admitted.view),
    },
    admitted,
  );

/** As a user is judged who has nothing of its own; a password costs what any password costs. */
async function judgeNobody(
  secrets: LoginSecrets,
  { dn, why, preset, challenged, lengths, factor }: Nobody,
  admitted: Omit<AdmittedLogin, 'account'>,
): Promise<Verdict> {
  const wanted = preset && wantedFactors(preset, admitted.visit);
  if (admitted.admission.kind === 'together') {
    const { asked } = await tryInVain(dn, passwordsOf(wholeReadings(secrets, lengths)), admitted);
    return { ...refused(why, { passedOn: asked }), isNoEvent: true };
  }
  if (preset && wanted?.password === false) {
    const [reading] = readSecrets(secrets, codeOnly, lengths);
    if (reading?.code) return refused(why, { isHalfRight: true });
    return askAlone({ dn: challenged, settings: preset.settings }, { ...admitted, factor });
  }
  const readings = readSecrets(secrets, wanted ?? { password: true, code: false }, lengths);
  const { wrong, asked } = await tryInVain(dn, passwordsOf(readings), admitted);
  return refused(why, { wrongPasswords: wrong, passedOn: asked });
}

const passwordsOf = (readings: readonly { password: string | undefined }[]): readonly string[] =>
  readings.map(({ password = '' }) => password);

const lengthsOf =
  ({ account, view }: Pick<AdmittedLogin, 'account' | 'view'>) =>
  (text: string): readonly number[] =>
    codeLengths(text, account, view);
