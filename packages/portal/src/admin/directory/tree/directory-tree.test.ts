/** The opened tree: requests to the server, and the lines shown, as entries come, change and go. */
import { describe, expect, it } from 'vitest';
import type { Child, ListChildren } from './branch.ts';
import { DirectoryTree } from './directory-tree.ts';

const base = 'dc=example,dc=org';
const crowd = `ou=crowd,${base}`;

/** A server that has these entries, and gives pages of ten at most in the order in which they stand. */
function serverOf(entries: Child[]) {
  const asked: string[] = [];
  const list: ListChildren = async ({ container, filter = '', start = '0', max }) => {
    asked.push(`${container} ${filter} ${start}`);
    const wanted = /=\*?([^*()]+)\*?\)/.exec(filter)?.[1] ?? '';
    const all = entries.filter(
      ({ dn, name }) => dn.slice(dn.indexOf(',') + 1) === container && name.includes(wanted),
    );
    const end = Number(start) + Math.min(max, 10);
    return { entries: all.slice(Number(start), end), next: end < all.length ? String(end) : null };
  };
  return { list, asked };
}

const child = (name: string, container: string, kind: Child['kind'] = 'user'): Child => ({
  ...{ dn: `${kind === 'user' ? 'uid' : 'ou'}=${name},${container}`, name, kind, classes: [] },
});

const crowdOf = (count: number): Child[] => [
  child('crowd', base, 'container'),
  ...Array.from({ length: count }, (_, n) => child(`user${n}`, crowd)),
];

const namesOf = (tree: DirectoryTree): readonly string[] =>
  tree.lines().map((line) => (line.kind === 'entry' ? line.name : line.kind));

describe('the tree', () => {
  it('opens the way to an entry far down, and asks for that one alone', async () => {
    const { list, asked } = serverOf(crowdOf(100));
    const tree = new DirectoryTree(list, [base]);
    await tree.choose(`uid=user99,${crowd}`);
    expect(namesOf(tree)).toEqual([
      base,
      'crowd',
      'user99',
      ...Array.from({ length: 10 }, (_, n) => `user${n}`),
      'more',
    ]);
    expect(asked).toEqual([`${base}  0`, `${crowd}  0`, `${crowd} (uid=user99) 0`]);
  });

  it('shows each once when all are there, and says so', async () => {
    const tree = new DirectoryTree(serverOf(crowdOf(25)).list, [base]);
    await tree.choose(`uid=user24,${crowd}`);
    await tree.branch(crowd)?.all();
    const users = tree.lines().filter(({ level }) => level === 3);
    expect(users).toHaveLength(25);
    expect(users.every((line) => line.kind === 'entry' && line.of === 25)).toBe(true);
  });

  it('puts what is new in its place, and takes what is gone away with all below it', async () => {
    const entries = crowdOf(3);
    const tree = new DirectoryTree(serverOf(entries).list, [base]);
    await tree.choose(`uid=user0,${crowd}`);
    entries.push(child('user1b', crowd), child('inner', crowd, 'container'));
    await tree.look(`uid=user1b,${crowd}`);
    await tree.look(`ou=inner,${crowd}`);
    expect(namesOf(tree)).toEqual([base, 'crowd', 'inner', 'user0', 'user1', 'user1b', 'user2']);
    tree.open(`ou=inner,${crowd}`);
    entries.splice(
      entries.findIndex(({ name }) => name === 'inner'),
      1,
    );
    await tree.look(`ou=inner,${crowd}`);
    expect(namesOf(tree)).toEqual([base, 'crowd', 'user0', 'user1', 'user1b', 'user2']);
  });

  it('narrows the chosen container alone, and shows what was there when nothing is typed', async () => {
    const tree = new DirectoryTree(serverOf(crowdOf(30)).list, [base]);
    await tree.choose(crowd);
    await tree.branch(crowd)?.begin();
    const before = namesOf(tree);
    tree.narrow('user29');
    await tree.branch(crowd)?.begin();
    expect(namesOf(tree)).toEqual([base, 'crowd', 'user29']);
    expect(tree.filterBelow(crowd)).toContain('(uid=*user29*)');
    tree.narrow('');
    expect(namesOf(tree)).toEqual(before);
    expect(tree.filterBelow(crowd)).toBeUndefined();
  });

  it('reads anew what was closed, and goes on after a failure', async () => {
    const { list, asked } = serverOf(crowdOf(15));
    let fails = true;
    const failing: ListChildren = (request) => {
      if (fails && request.container === crowd) throw new Error('down');
      return list(request);
    };
    const tree = new DirectoryTree(failing, [base]);
    await tree.choose(crowd);
    await tree.branch(crowd)?.begin();
    expect(namesOf(tree)).toEqual([base, 'crowd', 'failed']);
    fails = false;
    await tree.branch(crowd)?.more();
    expect(namesOf(tree)).toHaveLength(13);
    tree.close(crowd);
    tree.open(crowd);
    await tree.branch(crowd)?.begin();
    expect(asked.filter((one) => one === `${crowd}  0`)).toHaveLength(2);
  });
});
