/** What people outside of the directory open: the page behind a link, the file, and their answer. Programs that look at links answer nothing. */
import { ServiceError } from '../../../errors/errors.ts';
import type { WebAnswer } from '../../../http/http.ts';
import { decideTransaction } from '../../../phone/outcome.ts';
import type { PhoneView } from '../../../phone/phone-door.ts';
import { isPending, type PhoneTransaction } from '../../../phone/transaction.ts';
import { randomWord } from '../../../ports/random.ts';
import type { Page } from '../../../table/page.ts';
import { answeredPage, askPage, filePage, overPage } from './extern-page.ts';
import { findByLink } from './link.ts';

/** In bytes. */
const longestBody = 1024;

/** `/otp/extern` */
export const answerExtern: Page<PhoneView> = async (request, view) => {
  if (request.method === 'GET') {
    const { session: link = '' } = request;
    const asked = await askedBy(link, view);
    return asked ? askPage(link, asked.kind, asked.transaction.state) : overPage();
  }
  const body = await request.body();
  if (body.length > longestBody) throw new ServiceError('too_large');
  const fields = new URLSearchParams(Buffer.from(body).toString('utf8'));
  const decision = fields.get('decision');
  if (decision !== 'confirm' && decision !== 'refuse') return overPage();
  return decide(fields.get('session') ?? '', { decision, address: request.address }, view);
};

/** `/otp/externfile` */
export const answerExternFile: Page<PhoneView> = async ({ session: link = '' }, view) => {
  const asked = await askedBy(link, view);
  return asked ? filePage(asked.transaction.state) : overPage();
};

interface AskedByMail {
  readonly kind: 'confirm' | 'sign';
  readonly transaction: PhoneTransaction;
}

/** Undefined: it is over, or never was. */
async function askedBy(link: string, view: PhoneView): Promise<AskedByMail | undefined> {
  const transaction = await findByLink(link, view);
  if (!transaction || !isPending(transaction.state, view.clock.now())) return undefined;
  const { kind } = transaction.state;
  return kind === 'confirm' || kind === 'sign' ? { kind, transaction } : undefined;
}

async function decide(
  link: string,
  { decision, address }: { readonly decision: 'confirm' | 'refuse'; readonly address: string },
  view: PhoneView,
): Promise<WebAnswer> {
  const asked = await askedBy(link, view);
  if (!asked) return overPage();
  const call = {
    ...view,
    application: { name: 'Otp' },
    operation: 'Extern',
    transaction: { id: randomWord(view.random, 8), client: address },
  };
  const verdict = decision === 'confirm' ? 'confirmed' : 'refused';
  const isFirst = await decideTransaction(
    asked.transaction,
    { verdict, told: `${verdict} by the link that was mailed` },
    call,
  );
  return isFirst ? answeredPage(decision) : overPage();
}
