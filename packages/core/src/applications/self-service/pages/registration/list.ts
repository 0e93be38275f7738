/** Registration by a link of values that are shown once: printed lists and application passwords. */
import type { WebResponse } from '../../../../foundation/http/http.ts';
import { escapeHtml } from '../../../../foundation/http/page.ts';
import type { OwnFactor } from '../../../../table/method.ts';
import { type Alert, button, donePage, form, paragraph } from '../html.ts';
import type { PageVisit } from '../visit.ts';
import { type Registering, registerOnce, registrationPage } from './once.ts';

interface Making {
  readonly of: OwnFactor;
  readonly hint: 'listHint' | 'keysHint';
  readonly make: 'makeList' | 'makeKeys';
  readonly done: 'listDone' | 'keysDone';
}

const list: Making = { of: 'LIST', hint: 'listHint', make: 'makeList', done: 'listDone' };
const keys: Making = { of: 'APPKEY', hint: 'keysHint', make: 'makeKeys', done: 'keysDone' };

const makePage = (making: Making, registering: Registering, visit: PageVisit, alert?: Alert): WebResponse => {
  const { words, token } = visit;
  const main = paragraph(words[making.hint]) + form({ token }, button(words[making.make]));
  return registrationPage(registering, visit, { main, alert });
};

const makeIt = (making: Making, registering: Registering, visit: PageVisit): Promise<WebResponse> => {
  const { link, calls } = registering;
  const { words } = visit;
  const { of } = making;
  const dn = link.dn.format();
  return registerOnce(registering, visit, {
    run: async () => {
      await calls.run({ does: 'registers', of }, { dn });
      return calls.run({ does: 'shows', of }, { dn });
    },
    done: (made) =>
      donePage(words, { title: words.registerTitle, text: words[making.done], more: shown(made) }),
    refused: (alert) => makePage(making, registering, visit, alert),
  });
};

/** Codes in their order, or passwords by what they are for. */
function shown(made: unknown): string {
  if (Array.isArray(made))
    return `<ol>${made.map((code) => `<li><code>${escapeHtml(String(code))}</code></li>`).join('')}</ol>\n`;
  const all = Object.entries(Object(made)).map(
    ([client, password]) =>
      `<dt>${escapeHtml(client)}</dt><dd><code>${escapeHtml(String(password))}</code></dd>`,
  );
  return `<dl>${all.join('')}</dl>\n`;
}

export const listPage = (registering: Registering, visit: PageVisit) => makePage(list, registering, visit);
export const registerList = (registering: Registering, visit: PageVisit) => makeIt(list, registering, visit);
export const appKeysPage = (registering: Registering, visit: PageVisit) => makePage(keys, registering, visit);
export const registerAppKeys = (registering: Registering, visit: PageVisit) =>
  makeIt(keys, registering, visit);
