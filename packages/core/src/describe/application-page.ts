/** The reference of the settings that the applications keep for users, groups and the installation. */
import type { AnyApplication, Setting } from '../application.ts';
import { code, page, table } from './markdown.ts';

export function applicationPage(applications: Readonly<Record<string, AnyApplication>>): string {
  const sections = Object.values(applications).map(section);
  return page('Application settings', 'the applications', intro, ...sections);
}

const intro = `What is in force for a user is, weakest first: the default given here, \`settings\` of the
[configuration](settings.md), the settings of the user's groups, and the user's own. Values are text;
booleans are \`Yes\` and \`No\`.`;

function section({ name, settings, methods }: AnyApplication): string {
  const rows = Object.entries(settings).map(([key, setting]) => [
    code(`${name}.${key}`),
    typeOf(setting),
    setting.default === undefined ? '' : code(setting.default),
    setting.summary,
  ]);
  const isIdle = Object.keys(methods).length === 0;
  return [
    `## ${name}`,
    ...(isIdle ? ['In this version they are kept and answered; nothing acts on them yet.'] : []),
    table(['Setting', 'Type', 'Default', 'Meaning'], rows),
  ].join('\n\n');
}

function typeOf({ type }: Setting): string {
  switch (type.kind) {
    case 'boolean':
      return '`Yes` or `No`';
    case 'word':
      return type.words.map(code).join(', ');
    default:
      return type.kind;
  }
}
