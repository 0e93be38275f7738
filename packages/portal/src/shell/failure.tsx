/** Messages for a failed call, and for a failed page. */
import { Component, type ReactNode } from 'react';
import { CallError } from '../api/manager.ts';
import { Button } from '../kit/button.tsx';
import { Notice } from '../kit/show.tsx';
import { errorTexts } from '../texts/errors/index.ts';
import { kitTexts } from '../texts/kit/index.ts';
import { useLanguage } from '../texts/language.ts';
import { shellTexts } from '../texts/shell/index.ts';
import { useTexts } from '../texts/text.ts';
import { detailIn } from './detail.ts';

type ErrorKey = keyof typeof errorTexts.en;

const isKnown = (reason: string): reason is ErrorKey => Object.hasOwn(errorTexts.en, reason);

export interface Failing {
  readonly reason: string;
  readonly data?: string | undefined;
}

/** Says why, by the reason of an error, in the language of the page. */
export function useReasons(): (error: unknown) => string {
  const t = useTexts(errorTexts);
  const language = useLanguage();
  return (error) => {
    const { reason, data = '' } = failingOf(error);
    const known = isKnown(reason) ? reason : 'other';
    const detail = known === 'internal' ? data : detailIn(data, { t, language });
    return t(known, { reason, data: detail }).trim().replace(/:$/, '.');
  };
}

function failingOf(error: unknown): Failing {
  if (error instanceof CallError) return error;
  if (typeof error === 'object' && error !== null && 'reason' in error)
    return { reason: String(error.reason), data: 'data' in error ? String(error.data ?? '') : '' };
  // A fault of ours, or a page that could not be loaded: what it says is in nobody's language.
  return { reason: 'page' };
}

/** The message in place of data that could not be loaded. */
export function Failure({
  error,
  onRetry,
}: {
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
}) {
  const say = useReasons();
  const t = useTexts(kitTexts);
  return (
    <Notice tone="bad" alert>
      <p className="break">{say(error)}</p>
      {onRetry && (
        <div>
          <Button size="small" onPress={onRetry}>
            {t('retry')}
          </Button>
        </div>
      )}
    </Notice>
  );
}

interface BoundaryProps {
  readonly children: ReactNode;
}

/** One part that fails leaves the others. */
export class ErrorBoundary extends Component<BoundaryProps, { readonly hasFailed: boolean }> {
  override state = { hasFailed: false };

  static getDerivedStateFromError() {
    return { hasFailed: true };
  }

  override render() {
    return this.state.hasFailed ? <Broken /> : this.props.children;
  }
}

function Broken() {
  const t = useTexts(shellTexts);
  return (
    <Notice tone="bad" alert>
      <p>
        <strong>{t('broken')}</strong>
      </p>
      <p>{t('brokenMore')}</p>
      <div>
        <Button size="small" onPress={() => location.reload()}>
          {t('reload')}
        </Button>
      </div>
    </Notice>
  );
}
