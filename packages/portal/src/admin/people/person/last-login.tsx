/** Why the last login failed, in a sentence, with what to do: docs/guide/helpdesk.md has the table. */
import { momentOf } from '../../../api/moment.ts';
import { Moment, Notice } from '../../../kit/show.tsx';
import { useEventSentence } from '../../../shell/event-text.tsx';
import { peopleTexts } from '../../../texts/people/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { usePersonEvents } from './events-card.tsx';

type Advice = Extract<keyof typeof peopleTexts.en, `advise${string}`>;

/** Advice by the reason of a refusal. */
const advices: Readonly<Record<string, Advice>> = {
  change_password: 'adviseChange',
  locked: 'adviseLocked',
  replay: 'adviseReplay',
  wrong_code: 'adviseWrongCode',
  too_many: 'adviseUnblock',
  no_factor: 'adviseNoFactor',
  not_activated: 'adviseActivate',
  unkept: 'adviseState',
  wrong_password: 'adviseWrongPassword',
};

export function LastLogin() {
  const t = useTexts(peopleTexts);
  const sentenceOf = useEventSentence();
  const events = usePersonEvents();
  const last = events.data?.find(({ meaning: { kind } }) => kind === 'login');
  if (last?.meaning.outcome !== 'refused') return null;
  const { meaning, time, text } = last;
  const advice = advices[meaning.reason ?? ''];
  return (
    <Notice tone="warn">
      <p className="break">
        <strong>{t('failedBecause', { text: sentenceOf(meaning) ?? text })}</strong>{' '}
        <Moment at={momentOf(time)} />
      </p>
      {advice && <p>{t(advice)}</p>}
    </Notice>
  );
}
