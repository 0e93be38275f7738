/** Who logs in at a cluster, and what they saw. */
import { Agent, request } from 'node:https';
import { type Cluster, step } from '../../examples/three-nodes/cluster.ts';
import { codeAt, secretOf } from '../login/people.ts';
import type { Answer, Attempt } from './history.ts';

export const passwordOf = (user: string): string => `The passw0rd of ${user}`;

/** Users with a TOTP token, made by an administrator at one node. @param seconds of a time step */
export async function addUsers(
  { open, base, admin }: Cluster,
  users: readonly string[],
  seconds = step,
): Promise<void> {
  const node = await open();
  const { manager, close } = await node.service.manager.login(admin);
  for (const user of users) {
    const dn = `uid=${user},ou=people,${base}`;
    const attrs = {
      objectclass: ['inetOrgPerson', 'webadmAccount'],
      cn: user,
      sn: user,
      userpassword: passwordOf(user),
    };
    await manager.Create_LDAP_Object({ dn, attrs });
    if (seconds !== step)
      await manager.Set_User_Settings({ dn, settings: { 'Otp.TOTPTimeStep': String(seconds) } });
    await manager.Otp.TOTP_Register({ dn, key: secretOf(user).toString('base64') });
  }
  await close();
  await node.close();
}

/** How many logins of each user the event log says were granted. */
export async function recordedLogins(
  { open, base, admin }: Cluster,
  users: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const node = await open();
  const { manager, close } = await node.service.manager.login(admin);
  const counts = new Map<string, number>();
  for (const user of users) {
    const lines = await manager.Get_Event_Logs({
      application: 'Otp',
      dn: `uid=${user},ou=people,${base}`,
      max: 5000,
    });
    counts.set(user, lines.filter(({ text }) => text.includes('granted by ')).length);
  }
  await close();
  await node.close();
  return counts;
}

/** So many steps ago the first code is, of those that are good. */
const early = 900;

/** The steps of each code that is good by then or soon; by user. */
const steps = new Map<string, Map<string, number[]>>();

function isOfAnother(at: number, user: string, now: number): boolean {
  const known = steps.get(user) ?? stepsOf(user, now);
  steps.set(user, known);
  return (known.get(codeAt(at, secretOf(user))) ?? []).some((other) => other !== at);
}

/** An hour before and an hour after. */
function stepsOf(user: string, now: number): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (let at = now - 1800; at <= now + 1800; at += 1) {
    const code = codeAt(at, secretOf(user));
    found.set(code, [...(found.get(code) ?? []), at]);
  }
  return found;
}

/** Logs users in at nginx or at a node, each code of a user at several places at once, and remembers what came of it. */
export class Clients {
  #attempts: Attempt[] = [];
  readonly #url: string;
  readonly #agent: Agent;
  /** The next code of each user, as a time step. */
  readonly #next = new Map<string, number>();

  constructor({ url, ca }: Pick<Cluster, 'url' | 'ca'>) {
    this.#url = url;
    this.#agent = new Agent({ ca, keepAlive: false });
  }

  /**
   * A code that nobody has shown: an early one of those that are good, and of no other step of them: two in a thousand are, and
   * would be taken for the later one, behind which all others have been used.
   */
  fresh(user: string): number {
    const now = Math.floor(Date.now() / 1000 / step);
    let next = Math.max(this.#next.get(user) ?? 0, now - early);
    while (isOfAnother(next, user, now)) next += 1;
    this.#next.set(user, next + 1);
    return next;
  }

  /** Shows one code as many times at once. */
  rush(user: string, times: number, at = this.fresh(user)): Promise<readonly Answer[]> {
    return Promise.all(Array.from({ length: times }, () => this.login(user, at)));
  }

  async login(user: string, at = this.fresh(user)): Promise<Answer> {
    const fields = {
      username: user,
      ldapPassword: passwordOf(user),
      otpPassword: codeAt(at, secretOf(user)),
    };
    const begun = performance.now();
    const answer = await this.#ask(JSON.stringify(fields)).then(answerOf, (): Answer => 'unknown');
    this.#attempts.push({ user, step: at, answer, begun, ended: performance.now() });
    return answer;
  }

  /** What came of all logins since this was asked last. */
  seen(): readonly Attempt[] {
    const attempts = this.#attempts;
    this.#attempts = [];
    return attempts;
  }

  close(): void {
    this.#agent.destroy();
  }

  #ask(body: string): Promise<string> {
    const options = { method: 'POST', agent: this.#agent, headers: { 'content-type': 'application/json' } };
    return new Promise((resolve, reject) => {
      const asked = request(`${this.#url}otp/json/otpNormalLogin/`, options, async (response) => {
        resolve(Buffer.concat(await response.toArray().catch(() => [])).toString());
      });
      asked.on('error', reject).end(body);
    });
  }
}

/** What is no answer of ours is nginx's: the node behind it is gone. */
function answerOf(body: string): Answer {
  try {
    const { code, error } = JSON.parse(body);
    if (code === 1) return 'granted';
    return error === 'ServerError' || code === undefined ? 'unknown' : 'refused';
  } catch {
    return 'unknown';
  }
}
