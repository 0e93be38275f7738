/**
 * What was wrong with a login is not told: every refusal is the same byte by byte on the wire, and comes when
 * `login_failure_delay_ms` is over, however long it took to judge (docs/concepts/login.md#uniform-answer).
 *
 * Seen to fail with the guard taken out: in login/login.ts, leave `waitOut` out of `answer`.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Cast } from './cast.ts';
import { openClientDoor } from './client-door.ts';
import { directories, type Ground } from './directories.ts';
import { type Door, doors, type Fields, type Wire, wires } from './doors.ts';
import { both, passwordOnly, type Row, refused, set, totp, usual } from './rows/row.ts';

const delay = 1000;
/** How long the directory takes to judge the password of a user who exists. */
const work = 300;

type Refusal = Pick<Row, 'title' | 'has' | 'ask'>;

/** The first is a login of which nothing is right. */
const refusals: readonly Refusal[] = [
  { title: 'an unknown user', ask: () => ({ username: 'nobody', ldapPassword: 'x', otpPassword: '000000' }) },
  { title: 'an unknown domain', ask: (user) => ({ ...both(user), domain: 'Nowhere' }) },
  { title: 'a wrong password', ask: (user) => ({ ...both(user), ldapPassword: 'wrong' }) },
  { title: 'no password', ask: () => ({}) },
  { title: 'a wrong code', ask: (user) => ({ ...both(user), otpPassword: '000000' }) },
  { title: 'no second factor', has: {}, ask: passwordOnly },
  { title: 'a blocked user', has: { done: [totp, ['Otp.Block_Start', {}]] }, ask: both },
  { title: 'a user who is switched off', has: { done: [totp, set({ EnableLogin: 'No' })] }, ask: both },
  {
    title: 'a user who is not activated',
    has: { done: [['Deactivate_LDAP_Object', {}]] },
    ask: passwordOnly,
  },
  { title: 'a user who is out of time', has: { done: [set({ ValidTo: '2000-01-01 00:00:00' })] }, ask: both },
];

describe.each(Object.keys(directories) as (keyof typeof directories)[])('on %s', (directory) => {
  let ground: Ground;
  let cast: Cast;
  let client: Awaited<ReturnType<typeof openClientDoor>>;
  beforeAll(async () => {
    const limits = { login_failure_delay_ms: delay };
    ground = await directories[directory]({ limits });
    cast = new Cast(ground);
    client = await openClientDoor(ground.service);
    const judge = ground.directory.authenticate.bind(ground.directory);
    ground.directory.authenticate = (dn, password) => {
      if (/^(?:uid|cn)=user/i.test(dn.toString()) && !dn.toString().includes('exist'))
        ground.clock.advance(work);
      return judge(dn, password);
    };
  });
  afterAll(async () => {
    await client.close();
    await ground.close();
  });

  const fieldsOf = async ({ title, has = usual, ask }: Refusal): Promise<Fields> => {
    const user = await cast.find(title, has);
    return { username: user.username, ...(await ask(user)) };
  };

  /** Asks, and checks that the answer is kept back until the delay is over, by the test's clock. */
  async function timed<T>(ask: () => Promise<T>): Promise<T> {
    const { clock } = ground;
    // The address has forgotten the refusals before.
    clock.advance(60_000);
    const [begun, slept] = [clock.now(), clock.slept.length];
    const answer = await ask();
    const kept = clock.slept.slice(slept);
    expect(kept).toHaveLength(1);
    expect(clock.now() - begun + Number(kept[0])).toBe(delay);
    return answer;
  }

  const bytesOf = async (wire: Wire | undefined, refusal: Refusal) => {
    const fields = await fieldsOf(refusal);
    const answer = await timed(async () => wire?.('normalLogin', fields));
    return { status: answer?.status, headers: [...(answer?.headers ?? [])], body: await answer?.text() };
  };

  it.each(Object.entries(wires))('over %s', async (_, open) => {
    const wire = open(ground.service);
    const [first, ...others] = await inTurn(refusals, (refusal) => bytesOf(wire, refusal));
    expect(first).toMatchObject({ status: 200, body: expect.stringContaining(refused.message) });
    expect(others).toEqual(others.map(() => first));
  });

  it.each(['the typed client', 'in process'])('over %s', async (name) => {
    const door: Door | undefined = name === 'in process' ? doors[name]?.(ground.service) : client.door;
    const answers = await inTurn(refusals, async (refusal) => {
      const fields = await fieldsOf(refusal);
      return JSON.stringify(await timed(async () => door?.('normalLogin', fields)));
    });
    expect(answers).toEqual(answers.map(() => JSON.stringify(refused)));
  });

  it('a success is not kept back', async () => {
    const user = await cast.find('right', usual);
    const before = ground.clock.slept.length;
    const answer = await client.door('normalLogin', { username: user.username, ...both(user) });
    expect([answer.code, ground.clock.slept.length]).toEqual([1, before]);
  });
});

/** One after the other: they share a clock. */
async function inTurn<A, B>(items: readonly A[], ask: (item: A) => Promise<B>): Promise<B[]> {
  const answers: B[] = [];
  for (const item of items) answers.push(await ask(item));
  return answers;
}
