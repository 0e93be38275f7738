/** The server's detail of an error in the language of the page: names unchanged, known sentences translated. */
import type { errorTexts } from '../texts/errors/index.ts';
import type { Language } from '../texts/language.ts';
import type { Translate } from '../texts/text.ts';

type Key = Extract<keyof typeof errorTexts.en, string>;

interface Saying {
  readonly t: Translate<Key>;
  readonly language: Language;
}

/** The first that fits; `(?<name>…)` is filled in. */
const sentences: readonly (readonly [form: RegExp, key: Key])[] = [
  [/the last second factor stays/, 'lastFactor'],
  [/none of your roles has|no role of yours/, 'byRole'],
  [/settings of the user do not|is locked to the user/, 'bySettings'],
  [/^the directory does not let users/, 'byDirectory'],
  [/being changed by others/, 'beingChanged'],
  [/password is empty/, 'emptyPassword'],
  [/^no gateway for|^Nothing can be sent/, 'nothingSent'],
  [/^The budget /, 'budget'],
  [/^Session not started|is not that of the session/, 'noSession'],
  [/^there is no such user/, 'noSuchUser'],
  [/^Missing parameter (?<name>[\w.]+)/, 'fieldMissing'],
  [/^Parameter (?<name>[\w.]+) is empty$/, 'fieldMissing'],
  [/^Parameter (?<name>[\w.]+) is longer than (?<most>\d+) characters$/, 'fieldLong'],
  [/^Parameter (?<name>[\w.]+) is not (?:from )?(?<least>\d+) to (?<most>\d+)/, 'fieldRange'],
  [/^Parameter (?<name>[\w.]+) is none of (?<words>.*)$/, 'fieldChoice'],
  [/^Parameter (?<name>[\w.]+) is not a time/, 'fieldMoment'],
  // Of these the rest says what is wanted, and follows.
  [/^Parameter (?<name>[\w.]+)/, 'field'],
];

/** Details whose names suffice, as the reason says what is wrong. */
const names: readonly RegExp[] = [
  /^(?:LDAP object|LDAP container|Object) '(?<name>.*)' (?:does not exist|already exist)/,
  /^Could not (?:read|create|update|remove|move|rename) LDAP object '(?<name>.*)' \((?:No such object|invalid DN)\)$/,
  /^User not found (?<name>.*)$/,
  /^Domain '(?<name>.*)' not existing$/,
  /^Inventory item '(?<name>.*)' does not exist$/,
];

export function detailIn(detail: string, { t, language }: Saying): string {
  if (detail === '' || language === 'en') return detail;
  for (const form of names) {
    const { name } = form.exec(detail)?.groups ?? {};
    if (name !== undefined) return name;
  }
  for (const [form, key] of sentences) {
    const found = form.exec(detail);
    if (!found) continue;
    const said = t(key, found.groups);
    return key === 'field' ? `${said} ${t('theServer', { text: detail })}` : said;
  }
  // A directory, say, speaks English only: it is shown as a quotation.
  return t('theServer', { text: detail });
}
