/** What a person is told when everything runs. */
import { version } from '@watchword/core';
import type { QuickStart } from './people.ts';

export interface Story {
  readonly facts: QuickStart;
  /** The data folder. */
  readonly data: string;
}

/** A call that works when it is pasted. */
export function curlLine({ facts }: Story): string {
  const { admin, ca, manager_url, users } = facts;
  const params = { username: users[0]?.username, domain: users[0]?.domain };
  const call = JSON.stringify({ jsonrpc: '2.0', method: 'Get_User_DN', params, id: 1 });
  return `curl --cacert ${quote(ca)} -u ${quote(`${admin.username}:${admin.password}`)} -d ${quote(call)} ${manager_url}`;
}

export function describeText(story: Story): string {
  const { facts, data } = story;
  const rows = [
    ['Manager', `${facts.manager_url}   JSON-RPC 2.0`],
    ['Web services', facts.ws_url],
    ['Directory', `embedded, in ${data}`],
    ['Administrator', `${facts.admin.username}   password ${facts.admin.password}`],
    [
      'Demo users',
      `${facts.users.map(({ username }) => username).join(', ')}   passwords in ${data}/quickstart.json`,
    ],
  ] as const;
  return [
    `Watchword ${version} is running.`,
    '',
    ...rows.map(([name, value]) => `  ${name.padEnd(14)} ${value}`),
    '',
    'Try it (it finds a user):',
    '',
    `  ${curlLine(story)}`,
    '',
    'Ctrl-C ends it.',
  ].join('\n');
}

/** For a POSIX shell. */
function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
