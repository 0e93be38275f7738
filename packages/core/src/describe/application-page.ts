/** The reference of the settings that the applications keep for users, groups and the installation. */
import type { AnyApplication } from '../table/application.ts';
import type { Setting } from '../table/setting-row.ts';
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
[Who reads each setting](../setting-readers.md) names the source.`;

const keptNote = {
  free: 'Kept: nothing acts on it in this version.',
  fixed: 'Kept: nothing acts on it in this version, and no other value can be set.',
} as const;

function section({ name, settings }: AnyApplication): string {
  const rows = Object.entries(settings).map(([key, setting]) => [
    code(`${name}.${key}`),
    typeOf(setting),
    setting.default === undefined ? '' : code(setting.default),
    meaningOf(setting),
  ]);
  return [`## ${name}`, table(['Setting', 'Type', 'Default', 'Meaning'], rows)].join('\n\n');
}

const meaningOf = ({ summary, kept }: Setting): string => (kept ? `${summary} ${keptNote[kept]}` : summary);

function typeOf({ type, kept, default: preset }: Setting): string {
  if (kept === 'fixed' && preset !== undefined) return code(preset);
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
