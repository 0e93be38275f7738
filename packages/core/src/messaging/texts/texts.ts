/**
 * What people are told by mail and SMS: texts with variables in braces, one file for each language. An installation may bring
 * other ones, and other languages, in `texts` of its configuration.
 */
import type { TextName, Texts, textVariables } from '../../table/message-texts.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';

/** What an installation says otherwise, by the tags of languages. */
export type OwnTexts = Readonly<Record<string, Partial<Record<TextName, string | undefined>>>>;

const bundledTexts: Readonly<Record<string, Texts>> = { en, fr, de, es };

type Variables<Name extends TextName> = Readonly<Record<(typeof textVariables)[Name][number], string>>;

export interface Wording {
  /** What an entry says of its language: `de`, `fr-CA`, `de, en;q=0.5` (RFC 2798 §2.7, RFC 9110 §12.5.4). */
  readonly preferred: string | undefined;
  readonly own: OwnTexts;
  /** Where an entry says none that there is. */
  readonly otherwise: string;
}

/** A text in the language that suits best. */
export function textFor<Name extends TextName>(
  name: Name,
  variables: Variables<Name>,
  { preferred = '', own, otherwise }: Wording,
): string {
  const candidates = [...languagesOf(preferred), otherwise.toLowerCase(), 'en'];
  for (const language of candidates) {
    const text = ownText(own, language, name) ?? bundledTexts[language]?.[name];
    if (text !== undefined) return fill(text, variables);
  }
  return fill(en[name], variables);
}

export type InLanguage<Words> = Words & { readonly language: string };

/** The words of pages in the language that suits best. @param all by languages, English among them */
export function inLanguage<Words extends object>(
  all: Readonly<Record<string, Words>> & { readonly en: Words },
  { preferred = '', otherwise }: Pick<Wording, 'preferred' | 'otherwise'>,
): InLanguage<Words> {
  const candidates = [...languagesOf(preferred), ...languagesOf(otherwise)];
  const language = candidates.find((one) => Object.hasOwn(all, one)) ?? 'en';
  return { ...(all[language] ?? all.en), language };
}

function ownText(own: OwnTexts, language: string, name: TextName): string | undefined {
  const tag = Object.keys(own).find((one) => one.toLowerCase() === language);
  return tag === undefined ? undefined : own[tag]?.[name];
}

/** Longest that is looked at, in characters: entries come from anybody. */
const longest = 256;

/** Best first, each followed by what it is a kind of: `de-at`, `de`. */
export function languagesOf(preferred: string): readonly string[] {
  const ranges = preferred
    .slice(0, longest)
    .split(',')
    .map((part) => {
      const [tag = '', weight = ''] = part
        .trim()
        .toLowerCase()
        .replaceAll('_', '-')
        .split(/\s*;\s*q=/);
      return { tag, weight: weight === '' ? 1 : Number(weight) };
    })
    .filter(({ tag, weight }) => /^[a-z]{1,8}(?:-[a-z0-9]{1,8})*$/.test(tag) && weight > 0);
  const best = ranges.toSorted((a, b) => b.weight - a.weight);
  return best.flatMap(({ tag }) => [tag, tag.replace(/-.*/, '')]);
}

/** What stands in a variable is no template. */
const fill = (text: string, variables: Readonly<Record<string, string>>): string =>
  text.replace(/\{([a-z]+)\}/g, (whole, name: string) => variables[name] ?? whole);
