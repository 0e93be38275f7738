/** A mutation with a toast, undo and query invalidation. */
import { type QueryKey, useMutation, useQueryClient } from '@tanstack/react-query';
import { kitTexts } from '../texts/kit/index.ts';
import { useTexts } from '../texts/text.ts';
import { useReasons } from './failure.tsx';
import { useToast } from './toasts.tsx';

export interface Action<Input, Result> {
  readonly run: (input: Input) => Promise<Result>;
  /** Said when it is done; left out where the page shows it. */
  readonly done?: (input: Input, result: Result) => string;
  /** Takes it back; left out where that cannot be. */
  readonly undo?: (input: Input, result: Result) => Promise<unknown>;
  /** Prefixes of the query keys that are invalidated. */
  readonly changes: readonly QueryKey[];
  /** False: the request was refused, and nothing is invalidated. Left out: something has changed. */
  readonly hasChanged?: (result: Result) => boolean;
  readonly after?: (result: Result) => void;
}

export function useAction<Input = void, Result = unknown>(action: Action<Input, Result>) {
  const queries = useQueryClient();
  const toast = useToast();
  const say = useReasons();
  const t = useTexts(kitTexts);
  const refresh = () =>
    Promise.all(action.changes.map((queryKey) => queries.invalidateQueries({ queryKey })));
  const fail = (error: unknown) => toast({ tone: 'bad', text: say(error) });
  const takeBack = async (input: Input, result: Result) => {
    try {
      await action.undo?.(input, result);
      toast({ tone: 'good', text: t('undone') });
    } catch (error) {
      fail(error);
    }
    await refresh();
  };
  return useMutation({
    mutationFn: action.run,
    onSuccess: async (result: Result, input: Input) => {
      if (action.done)
        toast({
          tone: 'good',
          text: action.done(input, result),
          undo: action.undo && (() => void takeBack(input, result)),
        });
      action.after?.(result);
      // The button is inactive until the page shows the outcome. After a refusal it is active at once.
      if (action.hasChanged?.(result) ?? true) await refresh();
    },
    onError: (error: unknown) => {
      fail(error);
      void refresh();
    },
  });
}
