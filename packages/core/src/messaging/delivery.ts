/** The delivery of one message to the gateway of its channel. */
import { DeliveryError, type Senders } from '../ports/sending/sender.ts';
import type { Message } from './stored-message.ts';

export interface Try {
  readonly id: string;
  readonly signal: AbortSignal;
}

export function deliver(
  { way: channel, content }: Message,
  senders: Senders | undefined,
  delivery: Try,
): Promise<void> {
  switch (channel) {
    case 'mail':
      return sendBy(senders?.mail, content, delivery);
    case 'sms':
      return sendBy(senders?.sms, content, delivery);
    case 'push':
      return sendBy(senders?.push, content, delivery);
  }
}

const sendBy = async <M>(
  sender: { send(message: M, delivery: Try): Promise<void> } | undefined,
  content: M,
  delivery: Try,
): Promise<void> => {
  if (!sender) throw new DeliveryError('there is no gateway any more');
  await sender.send(content, delivery);
};

/** Rejects when the signal aborts, even if the gateway ignores the signal; a later result is dropped. */
export function cutShort(sending: Promise<void>, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => reject(new DeliveryError('the gateway did not answer in time'));
    signal.addEventListener('abort', end, { once: true });
    sending.then(resolve, reject).finally(() => signal.removeEventListener('abort', end));
    if (signal.aborted) end();
  });
}
