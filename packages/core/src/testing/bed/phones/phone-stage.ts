/** A service whose users have phones, on two nodes, over the embedded directory and slapd, for tests. */
import { randomBytes } from 'node:crypto';
import type { Mail, Push } from '../../../ports/sending/sender.ts';
import { Phone } from '../engines/phone.ts';
import type { Fixture, FixtureOptions } from '../fixture.ts';
import { type Engine, openStage, type Stage } from '../stage.ts';

export interface PhoneUser {
  readonly dn: string;
  readonly username: string;
  readonly phone: Phone;
  /** The same phone, which asks the other node. */
  readonly elsewhere: Phone;
}

export interface PhoneStage {
  readonly stage: Stage;
  readonly node: Fixture;
  readonly other: Fixture;
  /** The sent pushes. */
  readonly pushed: readonly Push[];
  readonly mailed: readonly Mail[];
  /** A new user with a soft token, whom push messages reach. */
  person(settings?: Record<string, string>): Promise<PhoneUser>;
  /** The session of the next push message. */
  nextPushed(): Promise<string>;
  /** One request, from an address of a stranger. */
  ask(method: 'GET' | 'POST', url: string, body?: string, type?: string): Promise<WebAnswered>;
  close(): Promise<void>;
}

export interface WebAnswered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

export async function openPhoneStage(
  engine: Engine,
  config: FixtureOptions['config'] = {},
): Promise<PhoneStage> {
  const stage = await openStage(engine);
  const [pushed, mailed]: [Push[], Mail[]] = [[], []];
  const keeper = <Message>(taken: Message[]) => ({
    send: async (message: Message) => void taken.push(message),
    close: async () => {},
  });
  const senders = { push: keeper(pushed), mail: keeper(mailed) };
  const { clock: moved } = stage.fixture;
  const clock = {
    now: () => moved.now(),
    every: (milliseconds: number, task: () => void) => moved.every(milliseconds, task),
    // Who waits for a user waits for this test.
    sleep: () => new Promise<void>((resolve) => setTimeout(resolve, 20)),
  };
  const options = { config, ports: () => ({ ...stage.ports, clock, senders }) };
  const node = await stage.fixture.another(options);
  const other = await stage.fixture.another(options);
  const people = await stage.container();
  const asking =
    (at: Fixture): PhoneStage['ask'] =>
    async (method, url, body = '', type = 'application/json') => {
      const {
        status,
        headers,
        body: text = '',
      } = await at.service.web.answer({
        method,
        url: new URL(url, 'https://login.example.org:8443/'),
        headers: new Headers(method === 'POST' ? { 'content-type': type } : {}),
        body: async () => Buffer.from(body),
        ...{ address: '198.51.100.7', port: 40_000 },
      });
      return { status, headers: { ...headers }, body: Buffer.from(text) };
    };
  const post = (at: Fixture) => async (body: object) =>
    JSON.parse((await asking(at)('POST', '/otp/transaction', JSON.stringify(body))).body.toString());
  let [number, seen] = [0, 0];
  return {
    ...{ stage, node, other, pushed, mailed },
    person: async (settings = {}) => {
      number += 1;
      const username = `p${number}-${engine.toLowerCase()}`;
      const dn = await stage.person(people, username, { userpassword: 'Correct-Horse-7' });
      const secret = randomBytes(20);
      await stage.manager.Otp.TOTP_Register({ dn, key: secret.toString('base64') });
      const data = { 'Otp.TokenID': Buffer.from('test:phone').toString('base64') };
      await stage.manager.Set_User_Data({ dn, data });
      if (Object.keys(settings).length > 0) await stage.manager.Set_User_Settings({ dn, settings });
      const user = `Default\\${username}`;
      return {
        dn,
        username,
        phone: new Phone(secret, post(node), user),
        elsewhere: new Phone(secret, post(other), user),
      };
    },
    nextPushed: async () => {
      while (pushed.length <= seen) await clock.sleep();
      const { data } = pushed[seen] ?? {};
      seen += 1;
      return new URL(String(Reflect.get(data ?? {}, 'uri'))).searchParams.get('session') ?? '';
    },
    ask: asking(node),
    close: async () => {
      await other.close();
      await node.close();
      await stage.close();
    },
  };
}
