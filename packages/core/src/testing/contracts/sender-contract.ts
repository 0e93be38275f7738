/** Contract: what every gateway of mail, SMS or push does, whatever it speaks. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Delivery, DeliveryError, type Sender } from '../../ports/sending/sender.ts';

/** The outcome of the next message at the gateway. */
export type Behaviour = 'refuse for good' | 'refuse for now' | 'hang';

export interface SenderBed<Message> {
  readonly sender: Sender<Message>;
  /** Something that it takes; each time another one. */
  message(): Message;
  /** Sets the outcome. Optional; default: the sender has no gateway. */
  next?(behaviour: Behaviour): void;
  /** Returns whether a message has met the last outcome. */
  hasMet?(): boolean;
  /** Returns the number of messages that have arrived. */
  taken(): Promise<number> | number;
  close(): Promise<void>;
}

export function describeSender<Message>(
  name: string,
  { open, canFail }: { readonly open: () => Promise<SenderBed<Message>>; readonly canFail: boolean },
): void {
  describe(`a sender: ${name}`, () => {
    let bed: SenderBed<Message>;
    beforeEach(async () => {
      bed = await open();
    });
    afterEach(async () => {
      await bed.sender.close();
      await bed.close();
    });

    let messages = 0;
    const send = (more: Partial<Delivery> = {}): Promise<void> => {
      messages += 1;
      const id = `contract${String(messages).padStart(8, '0')}`;
      return bed.sender.send(bed.message(), { id, signal: AbortSignal.timeout(20_000), ...more });
    };
    const failure = async (sending: Promise<void>): Promise<DeliveryError> => {
      const error = await sending.then(
        () => undefined,
        (thrown: unknown) => thrown,
      );
      if (!(error instanceof DeliveryError)) throw new Error(`no DeliveryError: ${error}`);
      return error;
    };

    it('brings each message once', async () => {
      await send();
      expect(await bed.taken()).toBe(1);
      await Promise.all([send(), send(), send(), send()]);
      expect(await bed.taken()).toBe(5);
    });

    it('can be closed twice', async () => {
      await send();
      await bed.sender.close();
      await bed.sender.close();
    });

    if (!canFail) return;

    it.each([
      ['refuse for good', true],
      ['refuse for now', false],
    ] as const)('tells who would try again what has happened: %s', async (behaviour, isFinal) => {
      bed.next?.(behaviour);
      const error = await failure(send({ id: 'again00000000001' }));
      expect([error.isFinal, error.message]).toEqual([isFinal, expect.not.stringContaining('s3cret')]);
      await send({ id: 'again00000000001' });
      expect(await bed.taken()).toBe(1);
    });

    it('ends a try with its signal, and the next message gets through', async () => {
      bed.next?.('hang');
      const aborter = new AbortController();
      const hanging = failure(send({ signal: aborter.signal }));
      await expect.poll(() => bed.hasMet?.(), { timeout: 15_000 }).toBe(true);
      aborter.abort();
      expect((await hanging).isFinal).toBe(false);
      const before = await bed.taken();
      await send();
      expect((await bed.taken()) - before).toBe(1);
    });

    it('tries nothing whose time is over', async () => {
      expect((await failure(send({ signal: AbortSignal.abort() }))).isFinal).toBe(false);
      expect(await bed.taken()).toBe(0);
    });
  });
}
