/** The pages of a lost password: request a link, present a second factor if one is required, set a new password. */

import { setPassword } from '../../../directory/entry/password.ts';
import { endSessions } from '../../../directory/entry/sessions.ts';
import { missingRight, settingPasswords } from '../../../directory/missing-right.ts';
import { ServiceError } from '../../../foundation/errors/errors.ts';
import { deviceField, touchScript } from '../../../foundation/http/device-form.ts';
import type { WebResponse } from '../../../foundation/http/http.ts';
import { escapeHtml } from '../../../foundation/http/page.ts';
import { isSameSecret } from '../../../foundation/text/secret/same-secret.ts';
import { notifyChanged } from '../link/changed.ts';
import { type Link, newToken, putBack, storeLink, takeLink } from '../link/link.ts';
import { askForLink } from './asking.ts';
import type { FactorJudge, ShownFactor } from './factor.ts';
import { factorPolicy, takesCode } from './factor-policy.ts';
import { type Alert, button, donePage, field, form, overPage, paragraph, selfPage } from './html.ts';
import { longestPassword, missingIn } from './password-rules.ts';
import { type OpenLink, openLink, type PageVisit, recordUse, type SelfPages } from './visit.ts';
import type { PageWords } from './words/index.ts';

const application = 'PwReset';
/** Milliseconds for which the page is open after a right factor. */
const afterFactor = 10 * 60_000;

/** @param showFactor judges what is shown before a link may be used */
export const resetPages =
  (showFactor: FactorJudge): SelfPages =>
  async (visit) => {
    if (visit.token === '') return visit.form ? ask(visit) : askPage(visit);
    const open = await openLink('pwreset', visit);
    if (!open) return overPage(visit.words);
    if (!visit.form) return open.link.needsSecondFactor ? factorPage(open, visit) : passwordPage(visit);
    return open.link.needsSecondFactor
      ? judgeFactor(open, showFactor, visit)
      : setIt(open, visit.form, visit);
  };

const askPage = ({ words }: PageVisit): WebResponse =>
  selfPage({
    ...{ words, title: words.resetTitle },
    main:
      paragraph(words.askHint) +
      form(
        {},
        field({ name: 'username', label: words.name, autocomplete: 'username', isFirst: true }) +
          button(words.ask),
      ),
  });

/** Answers a request for a link, the same for every name. */
async function ask(visit: PageVisit): Promise<WebResponse> {
  await askForLink(visit.form?.get('username') ?? '', visit);
  const { words } = visit;
  return donePage(words, { title: words.resetTitle, text: words.asked });
}

async function factorPage(
  { profile }: OpenLink,
  visit: PageVisit,
  shown?: ShownFactor,
): Promise<WebResponse> {
  const { words, token } = visit;
  const asked = shown?.kind === 'asked' ? shown : undefined;
  const { session = '', question, devices } = asked ?? {};
  const wantsCode = asked ? asked.code : takesCode(await factorPolicy(profile, visit));
  const alert = shown?.kind === 'wrong' ? words.wrong : shown?.kind === 'wait' ? words.wait : undefined;
  const code = { name: 'code', label: words.code, autocomplete: 'one-time-code', isFirst: true } as const;
  return selfPage({
    ...{ words, title: words.resetTitle, alert: alert === undefined ? undefined : { text: alert } },
    main:
      paragraph(words.factorHint) +
      (question === undefined ? '' : `<p><strong>${escapeHtml(question)}</strong></p>\n`) +
      (wantsCode
        ? form({ token, ...(session !== '' && { session }) }, field(code) + button(words.goOn))
        : '') +
      (session === '' ? form({ token, send: 'yes' }, button(wantsCode ? words.sendCode : words.goOn)) : '') +
      (devices ? form({ token, session }, deviceField(JSON.stringify(devices), factorWords(words))) : ''),
    ...(devices && { script: touchScript }),
  });
}

const factorWords = ({ useDevice: device, wantsScript }: PageWords) => ({ device, wantsScript });

/** Judges the factor. A right one opens the next step for a time, under a link of its own: the sent link is used up. */
async function judgeFactor(open: OpenLink, showFactor: FactorJudge, visit: PageVisit): Promise<WebResponse> {
  const { link } = open;
  const shown = await showFactor(link, visit);
  if (shown.kind !== 'right') return factorPage(open, visit, shown);
  const { view, words } = visit;
  if (!(await takeLink({ application: 'pwreset', token: visit.token }, view))) return overPage(words);
  const token = newToken(view.random);
  const ends = Math.min(link.expiresAt, view.clock.now() + afterFactor);
  await storeLink(
    { token, link: { ...link, expiresAt: ends, needsSecondFactor: false }, messages: [] },
    view,
  );
  return passwordPage({ ...visit, token });
}

function passwordPage({ words, token }: PageVisit, alert?: Alert): WebResponse {
  const shared = { type: 'password', autocomplete: 'new-password', longest: longestPassword } as const;
  return selfPage({
    ...{ words, title: words.resetTitle, alert },
    main: form(
      { token },
      field({ ...shared, name: 'password', label: words.password, isFirst: true }) +
        field({ ...shared, name: 'again', label: words.again }) +
        button(words.setPassword),
    ),
  });
}

async function setIt(open: OpenLink, entered: URLSearchParams, visit: PageVisit): Promise<WebResponse> {
  const { words } = visit;
  const password = entered.get('password') ?? '';
  if (!isSameSecret(password, entered.get('again') ?? '')) return passwordPage(visit, { text: words.differ });
  const missing = missingIn(password, open.profile.settings, words);
  if (missing.length > 0) return passwordPage(visit, { text: words.rules, details: missing });
  const shown = { application: 'pwreset', token: visit.token } as const;
  if (!(await takeLink(shown, visit.view))) return overPage(words);
  const alert = await change(open, password, visit);
  if (alert) return passwordPage(visit, alert);
  return donePage(words, { title: words.resetTitle, text: words.passwordSet });
}

/** The link is used up; where the password is not taken, it is good again. @returns why it is not */
async function change({ link }: OpenLink, password: string, visit: PageVisit): Promise<Alert | undefined> {
  const { view, token, words } = visit;
  try {
    await setPassword(link.dn, { password, mustChange: false }, { directory: view.server.service });
  } catch (error) {
    await putBack(token, link, view);
    if (!(error instanceof ServiceError)) throw error;
    switch (error.reason) {
      case 'password_refused':
        await recordUse(link, { application, text: 'a password was refused', outcome: 'refused' }, visit);
        return { text: words.policy, details: [error.detail ?? ''] };
      case 'permission_denied':
        await tellNoRight(link, error, visit);
        return { text: words.noRight };
      default:
        throw error;
    }
  }
  await endSessions(link.dn, view);
  await recordUse(link, { application, text: 'the password was set by a link', outcome: 'done' }, visit);
  await notifyChanged(link, visit);
  return undefined;
}

/** Rights that were there when the link was sent. */
async function tellNoRight(link: Link, error: ServiceError, visit: PageVisit): Promise<void> {
  const where = await missingRight(link.dn, { right: settingPasswords }, visit.view);
  visit.view.log.error('the directory does not let the service set a password', { ...where, error });
  const text = `no password was set: the service lacks ${settingPasswords} in the directory`;
  await recordUse(link, { application, text, outcome: 'refused' }, visit);
}
