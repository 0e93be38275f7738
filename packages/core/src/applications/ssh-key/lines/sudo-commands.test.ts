/** Rules for sudoers: visudo takes them, and sudo’s own reader finds the user and the commands. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sudoersLines, wrongCommands } from './sudo-commands.ts';

interface Sudoers {
  readonly User_Specs?: readonly {
    readonly User_List: readonly Readonly<Record<string, unknown>>[];
    readonly Host_List: readonly Readonly<Record<string, unknown>>[];
    readonly Cmnd_Specs: readonly { readonly Commands: readonly Readonly<Record<string, unknown>>[] }[];
  }[];
}

/** @throws where sudo reads no such file */
function readBySudo(lines: readonly string[]): Sudoers {
  const input = `${lines.join('\n')}\n`;
  execFileSync('/usr/sbin/visudo', ['-c', '-q', '-f', '-'], { input, stdio: ['pipe', 'ignore', 'ignore'] });
  return JSON.parse(execFileSync('/usr/bin/cvtsudoers', ['-f', 'json', '-'], { input, encoding: 'utf8' }));
}

describe('commands for sudo', () => {
  it('are there to be read by sudo itself', () => {
    expect(existsSync('/usr/sbin/visudo')).toBe(true);
  });

  it.each([
    ['/usr/bin/id', ['/usr/bin/id']],
    ['ALL', ['ALL']],
    ['/bin/a, NOPASSWD: /bin/b -x *\n!/bin/c', ['/bin/a', '/bin/b -x *', '/bin/c']],
    ['/bin/a \\,\\:\\=, /bin/b', ['/bin/a \\,\\:\\=', '/bin/b']],
    ['sudoedit /etc/hosts', ['sudoedit /etc/hosts']],
    ['NOEXEC: NOPASSWD: /usr/bin/less', ['/usr/bin/less']],
  ])('%j', (text, commands) => {
    expect(wrongCommands(text)).toBe(undefined);
    const { User_Specs = [] } = readBySudo(sudoersLines('alice', text));
    expect(User_Specs.flatMap(({ User_List }) => User_List)).toEqual(
      User_Specs.map(() => ({ username: 'alice' })),
    );
    const read = User_Specs.flatMap(({ Cmnd_Specs }) => Cmnd_Specs.flatMap(({ Commands }) => Commands));
    const unescaped = (words: string) => words.replace(/\\([,:=])/g, '$1');
    expect(read.map(({ command }) => unescaped(String(command)))).toEqual(commands.map(unescaped));
  });

  it('whatever is taken, sudo reads as commands of that user and of nobody else', () => {
    const piece = fc.constantFrom(
      ...[
        '/bin/a',
        'ALL',
        ' ',
        ',',
        '\\',
        '\\,',
        ':',
        '=',
        '!',
        '#',
        '"',
        "'",
        '(root)',
        'NOPASSWD:',
        '*',
        '[a]',
        '%g',
        '@include x',
        '\n',
        '$X',
        '~',
        'ROLE=x',
        '^a$',
      ],
    );
    const texts = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));
    fc.assert(
      fc.property(texts, (text) => {
        fc.pre(wrongCommands(text) === undefined);
        const { User_Specs = [] } = readBySudo(sudoersLines('alice', text));
        expect(User_Specs.length).toBeGreaterThan(0);
        for (const { User_List, Host_List } of User_Specs) {
          expect(User_List).toEqual([{ username: 'alice' }]);
          expect(Host_List).toEqual([{ hostname: 'ALL' }]);
        }
      }),
      { numRuns: 60 },
    );
  });

  it.each(['ALL', 'A_B', '%wheel', '%:group', '#0', '+net', 'a b', 'a,b', 'a\nb', 'a=b', 'a!', ''])(
    'no line is written for a user %j',
    (user) => {
      expect(sudoersLines(user, '/bin/a')).toEqual([]);
    },
  );
});
