/**
 * Texts of mails and SMS with variables in braces, one file for each language. The configuration (`texts`) may replace them, and add
 * languages.
 */
import type { TextName, Texts, textVariables } from '../../table/message-texts.ts';
import { de } from './de.ts';
import { en } from './en.ts';
import { es } from './es.ts';
import { fr } from './fr.ts';

/** Texts of the configuration, by language tag. */
export type OwnTexts = Readonly<Record<string, Partial<Record<TextName, string | undefined>>>>;

const bundledTexts: Readonly<Record<string, Texts>> = { en, fr, de, es };

type Variables<Name extends TextName> = Readonly<Record<(typeof textVariables)[Name][number], string>>;

export interface Wording {
  /** The preferred languages of the entry: `de`, `fr-CA`, `de, en;q=0.5` (RFC 2798 §2.7, RFC 9110 §12.5.4). */
  readonly preferred: string | undefined;
  readonly own: OwnTexts;
  /** The default language. */
  readonly otherwise: string;
}

/** Returns a text in the best available language. */
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

/** Returns the words of a page in the best available language. @param all words by language */
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

/** The most characters of a preference that are read. */
const longest = 256;

/** Returns language tags, the best first, each followed by its primary language: `de-at`, `de`. */
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

/** Replaces variables once: a value is no template. */
const fill = (text: string, variables: Readonly<Record<string, string>>): string =>
  text.replace(/\{([a-z]+)\}/g, (whole, name: string) => variables[name] ?? whole);
