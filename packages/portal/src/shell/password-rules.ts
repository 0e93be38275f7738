/** Rules for a new password as sentences, as far as the directory reports them. */
import type { Manager } from '../api/manager.ts';
import { kitTexts } from '../texts/kit/index.ts';
import { useTexts } from '../texts/text.ts';

type Rules = Awaited<ReturnType<Manager['SelfDesk']['Password_Rules']>>;

/** @returns undefined where no rule is known */
export function useRulesText({ minLength, history, isComplex, refusesCommon }: Rules): string | undefined {
  const t = useTexts(kitTexts);
  const sentences = [
    minLength !== undefined && t('passwordLength', { count: minLength }),
    refusesCommon && t('passwordCommon'),
    isComplex && t('passwordComplex'),
    history !== undefined && t('passwordHistory', { count: history }),
  ].filter((sentence) => typeof sentence === 'string');
  return sentences.length > 0 ? sentences.join(' ') : undefined;
}
