/**
 * Endpoints for people outside of the directory: the page of a link, the file, and the answer. Opening a link is not an answer, as
 * programs prefetch links.
 */
import { ServiceError } from '../../../../foundation/errors/errors.ts';
import { formFields } from '../../../../foundation/http/form.ts';
import { randomWord } from '../../../../ports/random.ts';
import type { Page } from '../../../../table/page.ts';
import { decideTransaction } from '../../../phone/outcome.ts';
import type { PhoneView } from '../../../phone/phone-door.ts';
import { isPending, type PhoneTransaction } from '../../../phone/transaction.ts';
import { type LanguageView, wordsFor } from '../../page-words/index.ts';
import { answeredPage, askPage, filePage, overPage } from './extern-page.ts';
import { findByLink } from './link.ts';

/** Longest body in bytes. */
const longestBody = 1024;

type ExternView = PhoneView & LanguageView;

/** `/otp/extern` */
export const answerExtern: Page<ExternView> = async (request, view) => {
  const words = wordsFor(request.languages, view);
  if (request.method === 'GET') {
    const { session: link = '' } = request;
    const asked = await askedBy(link, view);
    return asked
      ? askPage(link, { kind: asked.kind, state: asked.transaction.state, words })
      : overPage(words);
  }
  const body = await request.body();
  if (body.length > longestBody) throw new ServiceError('too_large');
  const fields = formFields(body);
  const decision = fields.get('decision');
  if (decision !== 'confirm' && decision !== 'refuse') return overPage(words);
  const isTaken = await decide(fields.get('session') ?? '', { decision, address: request.address }, view);
  return isTaken ? answeredPage(decision, words) : overPage(words);
};

/** `/otp/externfile` */
export const answerExternFile: Page<ExternView> = async ({ session: link = '', languages }, view) => {
  const asked = await askedBy(link, view);
  return asked ? filePage(asked.transaction.state) : overPage(wordsFor(languages, view));
};

interface AskedByMail {
  readonly kind: 'confirm' | 'sign';
  readonly transaction: PhoneTransaction;
}

/** Undefined if it has expired or is unknown. */
async function askedBy(link: string, view: PhoneView): Promise<AskedByMail | undefined> {
  const transaction = await findByLink(link, view);
  if (!transaction || !isPending(transaction.state, view.clock.now())) return undefined;
  const { kind } = transaction.state;
  return kind === 'confirm' || kind === 'sign' ? { kind, transaction } : undefined;
}

/** Returns false if it has expired, or another answer was faster. */
async function decide(
  link: string,
  { decision, address }: { readonly decision: 'confirm' | 'refuse'; readonly address: string },
  view: PhoneView,
): Promise<boolean> {
  const asked = await askedBy(link, view);
  if (!asked) return false;
  const call = {
    ...view,
    application: { name: 'Otp' },
    operation: 'Extern',
    transaction: { id: randomWord(view.random, 8), client: address },
  };
  const verdict = decision === 'confirm' ? 'confirmed' : 'refused';
  return decideTransaction(
    asked.transaction,
    { verdict, auditText: `${verdict} by the link that was mailed` },
    call,
  );
}
