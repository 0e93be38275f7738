/** Settings read by their rows: the type and the default are the row's. */
import { describe, expect, it } from 'vitest';
import { read } from './setting.ts';
import {
  enumSetting,
  flagSetting,
  integerSetting,
  ordered,
  preset,
  settingsOf,
  textSetting,
  timestampSetting,
} from './setting-row.ts';

const settings = settingsOf('Own', {
  Flag: flagSetting('Neither asks for more.', 'Yes'),
  Open: ordered(flagSetting('`No` lets fewer in.', 'Yes'), { No: ['Yes'] }),
  Strict: ordered(flagSetting('`Yes` lets fewer in.', 'No'), { Yes: ['No'] }),
  Count: integerSetting('A number.', { min: 0, max: 9 }, 5),
  Word: preset(enumSetting('A word.', { now: ['A', 'B'] }), 'B'),
  Text: textSetting('A text.'),
  From: timestampSetting('A moment.'),
});
const set = (values: Readonly<Record<string, string>>) =>
  new Map(Object.entries(values).map(([key, value]) => [`Own.${key}`, value]));

describe('a setting', () => {
  it('is read as its default when it is not set', () => {
    const none = set({});
    const flags: readonly boolean[] = [settings.Flag, settings.Open, settings.Strict].map((row) =>
      read(none, row),
    );
    expect(flags).toEqual([true, true, false]);
    const count: number = read(none, settings.Count);
    const word: string = read(none, settings.Word);
    expect([count, word, read(none, settings.Text), read(none, settings.From)]).toEqual([
      ...[5, 'B'],
      ...[undefined, undefined],
    ]);
  });

  it('is read as a value of its type', () => {
    const all = set({ Flag: 'No', Count: '7', Word: 'A', Text: 'x', From: '1970-01-01 00:00:01' });
    const from: number | undefined = read(all, settings.From);
    expect([read(all, settings.Flag), read(all, settings.Count), from]).toEqual([false, 7, 1000]);
    expect([read(all, settings.Word), read(all, settings.Text)]).toEqual(['A', 'x']);
  });

  it('fails closed when another program has written an invalid value', () => {
    const wrong = set({ Flag: 'maybe', Open: 'maybe', Strict: 'maybe', From: 'soon' });
    expect([settings.Flag, settings.Open, settings.Strict].map((row) => read(wrong, row))).toEqual([
      ...[false, false, true],
    ]);
    expect(read(wrong, settings.From)).toBeNaN();
  });
});
