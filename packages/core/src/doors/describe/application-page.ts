/** The page of docs/reference on settings of applications for users, groups and the installation. */
import type { AnyApplication } from '../../table/application.ts';
import type { Setting } from '../../table/setting-row.ts';
import { code, page, table } from './markdown.ts';

export function applicationPage(applications: Readonly<Record<string, AnyApplication>>): string {
  const sections = Object.values(applications)
    .filter(({ settings }) => Object.keys(settings).length > 0)
    .map(section);
  return page('Application settings', 'the applications', intro, ...sections);
}

const intro = `What is in force for a user is, weakest first: the default given here, \`settings\` of the
[configuration](settings.md), the settings of the user's groups, and the user's own. Values are text;
booleans are \`Yes\` and \`No\`. What cannot work is refused when it is set. Of a number that stands on an entry and
is out of its range, the nearest that is in it counts, and the log tells whose it is.

A setting *works*, or nothing acts on it in this version. Such a one is *refused* with the reason that is given here, wherever it
is set: for a user or group, in \`settings\` and client policies of the configuration, in a request. With \`dialect: deployed\` it is
stored and answered instead, as servers in the field do; the log, the portal and the header \`Warning\` of the answer say so.`;

function section({ name, settings }: AnyApplication): string {
  const rows = Object.entries(settings).map(([key, setting]) => [
    code(`${name}.${key}`),
    typeOf(setting),
    setting.default === undefined ? '' : code(setting.default),
    stateOf(setting),
    setting.summary,
  ]);
  return [`## ${name}`, table(['Setting', 'Type', 'Default', 'State', 'Meaning'], rows)].join('\n\n');
}

function stateOf({ unsupported }: Setting): string {
  if (!unsupported) return 'works';
  const { because, holds } = unsupported;
  const but = holds.length === 0 ? '' : `, but for ${holds.map(code).join(', ')}`;
  return `refused${but}: ${because}`;
}

function typeOf({ type }: Setting): string {
  switch (type.kind) {
    case 'boolean':
      return '`Yes` or `No`';
    case 'word':
      return wordsOf(type);
    case 'integer':
      return (
        type.only?.map((one) => code(String(one))).join(', ') ?? `integer from ${type.min} to ${type.max}`
      );
    case 'moment':
      return '`YYYY-MM-DD HH:MM:SS`';
    case 'text':
      return 'text';
  }
}

function wordsOf({ words, later }: Extract<Setting['type'], { kind: 'word' }>): string {
  const known = words.map(code).join(', ');
  return later.length === 0 ? known : `${known}; not in this version: ${later.map(code).join(', ')}`;
}
