/** Why the last login failed, in a sentence, with what to do: docs/guide/helpdesk.md has the table. */
import { Moment, Notice } from '../../../kit/show.tsx';
import { peopleTexts } from '../../../texts/people/index.ts';
import { useTexts } from '../../../texts/text.ts';
import { usePersonEvents } from './events-card.tsx';
import { momentOf } from './person.ts';

type Advice = Extract<keyof typeof peopleTexts.en, `advise${string}`>;

/** The first that fits. */
const advices: readonly (readonly [RegExp, Advice])[] = [
  [/password has to be changed|password has expired/, 'adviseChange'],
  [/directory has locked|the account/, 'adviseLocked'],
  [/used before|replay/, 'adviseReplay'],
  [/wrong code/, 'adviseWrongCode'],
  [/not tried alone|is known no more|too many|refused at/, 'adviseUnblock'],
  [/no second factor/, 'adviseNoFactor'],
  [/not activated/, 'adviseActivate'],
  [/could not be kept/, 'adviseState'],
  [/wrong password/, 'adviseWrongPassword'],
];

export function LastLogin() {
  const t = useTexts(peopleTexts);
  const events = usePersonEvents();
  const last = events.data?.find(({ text }) => /^Login of /.test(text));
  if (!last || !/: (?:refused|nothing)/.test(last.text)) return null;
  const why = last.text.replace(/^Login of .*?: (?:refused: )?/, '');
  const advice = advices.find(([pattern]) => pattern.test(last.text))?.[1];
  return (
    <Notice tone="warn">
      <p className="break">
        <strong>{t('failedBecause', { text: why })}</strong> <Moment at={momentOf(last.time)} />
      </p>
      {advice && <p>{t(advice)}</p>}
    </Notice>
  );
}
