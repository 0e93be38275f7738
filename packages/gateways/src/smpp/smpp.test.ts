import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DeliveryError, type Sender, type Sms } from '../../../core/src/ports/sending/sender.ts';
import { freePorts } from '../../../core/src/testing/bed/scratch.ts';
import { TestClock } from '../../../core/src/testing/test-clock.ts';
import { systemRandom } from '../../../node/src/machine/index.ts';
import { createAuthority, issueServerCertificate } from '../../../pki/src/index.ts';
import { openSmpp, type SmppOptions } from './index.ts';
import { type SmsCentre, smppLogin, startSmsCentre } from './testing/sms-centre.ts';

let centre: SmsCentre;
let sender: Sender<Sms>;
const open = (more: Partial<SmppOptions> = {}): Sender<Sms> =>
  openSmpp({
    ...{ host: '127.0.0.1', port: centre.port, security: 'none', timeout_ms: 10_000, sender: 'Example' },
    ...{ ...smppLogin, ...more },
  });
beforeEach(async () => {
  centre = await startSmsCentre();
  sender = open();
});
afterEach(async () => {
  await sender.close();
  await centre.close();
});

const message: Sms = { to: '+491512345678', text: 'Hello', isFlash: false };
const send = (more: Partial<Sms> = {}, id = 'aB3dE5fG7hJ9kL1m', signal = AbortSignal.timeout(10_000)) =>
  sender.send({ ...message, ...more }, { id, signal });
const failure = async (sending: Promise<void>): Promise<DeliveryError> => {
  const error = await sending.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof DeliveryError)) throw new Error(`no DeliveryError: ${error}`);
  return error;
};
/** Of what was taken: the header of parts, and the text as it goes over the air. */
const shortMessages = () =>
  centre.taken.map(({ short_message }) => {
    const { udh, message: text } = short_message as { udh?: readonly Uint8Array[]; message: unknown };
    return { header: udh?.map((one) => [...one]), text };
  });

describe('an SMS centre', () => {
  it('takes SMS over one session', async () => {
    await Promise.all([send(), send({ to: '0151 234'.replace(' ', ''), sender: '+4930123' })]);
    expect(centre.binds).toBe(1);
    const [first, second] = [...centre.taken].sort((one) => (one.source_addr === 'Example' ? -1 : 1));
    expect(first).toMatchObject({
      ...{ source_addr_ton: 5, source_addr_npi: 0, source_addr: 'Example', esm_class: 0, data_coding: 0 },
      ...{ dest_addr_ton: 1, dest_addr_npi: 1, destination_addr: '491512345678' },
    });
    expect(second).toMatchObject({ source_addr_ton: 1, source_addr: '4930123', dest_addr_ton: 0 });
  });

  it.each([
    ['Hello @£$ {€} ÄÖÜ', 0x00],
    ['Привет, 山 😀', 0x08],
  ])('reads %j as it was written', async (text, coding) => {
    await send({ text });
    expect(shortMessages()).toEqual([{ header: undefined, text }]);
    expect(centre.taken[0]).toMatchObject({ data_coding: coding, esm_class: 0 });
  });

  it.each([
    ['Hello', 0x10],
    ['Привет', 0x18],
  ])('is told that %j is a flash', async (text, coding) => {
    await send({ text, isFlash: true });
    expect(centre.taken[0]).toMatchObject({ data_coding: coding });
  });

  it('takes a long text in parts, whose reference is the same at each try', async () => {
    const text = `${'0123456789'.repeat(30)}end`;
    centre.behaviours.push(0, 0x58);
    expect(await failure(send({ text }))).toMatchObject({ isFinal: false });
    await send({ text });
    const parts = shortMessages();
    const headers = parts.map(({ header }) => header?.[0]);
    const reference = headers[0]?.[2];
    expect(headers).toEqual([
      [0, 3, reference, 2, 1],
      [0, 3, reference, 2, 1],
      [0, 3, reference, 2, 2],
    ]);
    expect(`${parts[1]?.text}${parts[2]?.text}`).toBe(text);
    expect(centre.taken.every(({ esm_class }) => esm_class === 0x40)).toBe(true);
  });

  it.each([
    [0x0b, true],
    [0x01, true],
    [0x58, false],
    [0x14, false],
    [0x08, false],
    [0x45, false],
  ])('that refuses by status %i: final %s', async (status, isFinal) => {
    centre.behaviours.push(status);
    const error = await failure(send());
    expect([error.isFinal, error.message]).toEqual([
      isFinal,
      `the SMS centre refuses the message: SMPP status 0x000000${status.toString(16).padStart(2, '0')}`,
    ]);
    await send();
    expect(centre.binds).toBe(1);
  });

  it('that refuses the login is not final, and is asked again', async () => {
    const wrong = open({ password: 'wrong' });
    const error = await failure(wrong.send(message, { id: 'x', signal: AbortSignal.timeout(10_000) }));
    expect([error.isFinal, error.message]).toEqual([
      false,
      'the SMS centre refuses the login: SMPP status 0x0000000e',
    ]);
    await failure(wrong.send(message, { id: 'x', signal: AbortSignal.timeout(10_000) }));
    expect(centre.binds).toBe(2);
    await wrong.close();
  });

  it('that hangs up is logged in to anew', async () => {
    centre.behaviours.push('hang up');
    expect((await failure(send())).message).toBe('the connection to the SMS centre is cut');
    await send();
    centre.cut();
    await expect
      .poll(
        () =>
          send().then(
            () => true,
            () => false,
          ),
        { timeout: 10_000 },
      )
      .toBe(true);
    expect(centre.taken).toHaveLength(2);
  });

  it('that is silent holds a try no longer than its signal, and no other message', async () => {
    centre.behaviours.push('silent');
    const aborter = new AbortController();
    const silent = failure(send({}, 'first', aborter.signal));
    await expect.poll(() => centre.behaviours.length).toBe(0);
    await send({}, 'second');
    aborter.abort();
    expect((await silent).message).toBe('the SMS centre takes too long');
    await send({}, 'third');
    expect([centre.taken.length, centre.binds]).toEqual([2, 2]);
  });

  it('that answers late answers nobody else', async () => {
    centre.behaviours.push('late');
    const aborter = new AbortController();
    const late = failure(send({}, 'first', aborter.signal));
    await expect.poll(() => centre.behaviours.length).toBe(0);
    // Keeps the session open beyond the first one’s end.
    centre.behaviours.push('silent');
    const other = new AbortController();
    const waiting = failure(send({}, 'second', other.signal));
    await expect.poll(() => centre.behaviours.length).toBe(0);
    aborter.abort();
    await late;
    centre.catchUp();
    await send({}, 'third');
    other.abort();
    expect((await waiting).message).toBe('the SMS centre takes too long');
    expect(centre.taken).toHaveLength(1);
  });

  it('is answered when it asks whether we live', async () => {
    await send();
    expect(await centre.enquire()).toBe(1);
  });

  it('that is not there, or whose end has come, is a DeliveryError', async () => {
    const [port = 0] = await freePorts(1);
    const gone = open({ port });
    const error = await failure(gone.send(message, { id: 'x', signal: AbortSignal.timeout(10_000) }));
    expect([error.isFinal, error.message]).toEqual([
      false,
      expect.stringContaining('the SMS centre cannot be reached'),
    ]);
    await gone.close();
    await sender.close();
    expect((await failure(send())).message).toBe('the gateway is closed');
  });

  it('that takes the connection and says nothing is given up after its time', async () => {
    const { createServer } = await import('node:net');
    const mute = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(mute, 'listening');
    const address = mute.address();
    const slow = open({ port: typeof address === 'object' && address ? address.port : 0, timeout_ms: 50 });
    const error = await failure(slow.send(message, { id: 'x', signal: AbortSignal.timeout(10_000) }));
    expect(error.message).toBe('the SMS centre takes too long');
    await slow.close();
    mute.close();
  });
});

describe('an SMS centre over TLS', () => {
  it('has to be vouched for', async () => {
    const ports = { clock: new TestClock(Date.now()), random: systemRandom };
    const authority = await createAuthority({ commonName: 'SMS tests', days: 2 }, ports);
    const { certificate, key } = await issueServerCertificate(
      authority,
      { names: ['localhost'], addresses: [], days: 1 },
      ports,
    );
    const secure = await startSmsCentre({ cert: certificate, key });
    const options = { host: 'localhost', port: secure.port, security: 'tls' } as const;
    const stranger = open(options);
    const delivery = () => ({ id: 'x', signal: AbortSignal.timeout(10_000) });
    expect((await failure(stranger.send(message, delivery()))).message).toContain('cannot be reached');
    const known = open({ ...options, ca: authority.certificate });
    await known.send(message, delivery());
    expect([secure.taken.length, secure.binds]).toEqual([1, 1]);
    await stranger.close();
    await known.close();
    await secure.close();
  });
});
