/** HTML parts of the pages of links, which work without a script. */
import type { WebResponse } from '../../../foundation/http/http.ts';
import { escapeHtml, hiddenField, htmlPage } from '../../../foundation/http/page.ts';
import type { PageWords } from './words/index.ts';

/** An error message: a sentence, and what belongs to it. */
export interface Alert {
  readonly text: string;
  readonly details?: readonly string[];
}

export interface SelfPage {
  readonly words: PageWords;
  readonly title: string;
  readonly alert?: Alert | undefined;
  /** HTML. */
  readonly main: string;
  readonly status?: number;
  readonly script?: string;
}

export const selfPage = ({ words, alert, main, ...page }: SelfPage): WebResponse =>
  htmlPage({ ...page, language: words.language, main: `${alert ? alertHtml(alert) : ''}${main}` });

const alertHtml = ({ text, details = [] }: Alert): string =>
  `<div role="alert" id="wrong"><p>${escapeHtml(text)}</p>${details.length === 0 ? '' : `<ul>${details.map((one) => `<li>${escapeHtml(one)}</li>`).join('')}</ul>`}</div>\n`;

/** Makes the last page. @param more HTML */
export const donePage = (
  words: PageWords,
  { title, text, more = '' }: { readonly title: string; readonly text: string; readonly more?: string },
): WebResponse =>
  selfPage({
    ...{ words, title },
    main: `<p role="status">${escapeHtml(text)}</p>\n${more}<p>${escapeHtml(words.mayClose)}</p>`,
  });

export const overPage = (words: PageWords): WebResponse =>
  selfPage({ words, title: words.overTitle, main: '', alert: { text: words.over }, status: 404 });

export const unavailablePage = (words: PageWords, status: 429 | 503): WebResponse =>
  selfPage({ words, title: words.overTitle, main: '', alert: { text: words.unavailable }, status });

export const paragraph = (text: string): string => `<p>${escapeHtml(text)}</p>\n`;

/** @param fields names and values that nobody sees @param main HTML */
export const form = (fields: Readonly<Record<string, string>>, main: string): string =>
  `<form method="post" action="?">
${Object.entries(fields)
  .map(([name, value]) => `${hiddenField(name, value)}\n`)
  .join('')}${main}</form>\n`;

export interface FormField {
  readonly name: string;
  readonly label: string;
  readonly type?: 'text' | 'password';
  readonly autocomplete?: string;
  readonly longest?: number;
  readonly isRequired?: boolean;
  readonly isFirst?: boolean;
}

export const field = ({
  name,
  label,
  type = 'text',
  autocomplete = 'off',
  longest = 255,
  isRequired = true,
  isFirst = false,
}: FormField): string =>
  `<label for="${name}">${escapeHtml(label)}</label>
<input id="${name}" name="${name}" type="${type}" maxlength="${longest}" autocomplete="${autocomplete}"${isRequired ? ' required' : ''}${isFirst ? ' autofocus' : ''}>
`;

export const button = (text: string, name?: string): string =>
  `<button${name === undefined ? '' : ` name="${name}" value="yes"`}>${escapeHtml(text)}</button>\n`;

export const preformatted = (text: string): string => `<pre>${escapeHtml(text)}</pre>\n`;
