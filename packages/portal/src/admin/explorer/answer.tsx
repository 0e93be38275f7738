/** The answer to a call, or the steps of a dry run. */
import { CallError } from '../../api/manager.ts';
import { Code } from '../../kit/code.tsx';
import { Notice } from '../../kit/show.tsx';
import { useReasons } from '../../shell/failure.tsx';
import { explorerTexts } from '../../texts/explorer/index.ts';
import { useTexts } from '../../texts/text.ts';

export type Answered = ({ readonly result: unknown } | { readonly error: unknown }) & {
  readonly isDry: boolean;
  /** Milliseconds from the page's point of view. */
  readonly ms: number;
};

export function Answer({ answer }: { readonly answer: Answered }) {
  const t = useTexts(explorerTexts);
  const say = useReasons();
  return (
    <section className="stack-tight" aria-label={t('answer')} aria-live="polite">
      <div className="row-apart">
        <h3>{t('answer')}</h3>
        <span className="soft small">{t('answered', { ms: answer.ms })}</span>
      </div>
      {'error' in answer ? (
        <Notice tone="bad">
          <p className="break">{say(answer.error)}</p>
          {answer.error instanceof CallError && <p className="break">{facts(answer.error)}</p>}
        </Notice>
      ) : (
        <>
          {answer.isDry && <DryRunAnswer result={answer.result} />}
          <Code text={JSON.stringify(answer.result, null, 2)} label={t('answer')} />
        </>
      )}
    </section>
  );
}

/** Returns the facts of an error as programs read them. */
const facts = ({ code, reason, data }: CallError): string =>
  [code, reason, data].filter((fact) => fact !== undefined).join(' · ');

function DryRunAnswer({ result }: { readonly result: unknown }) {
  const t = useTexts(explorerTexts);
  const would = typeof result === 'object' && result !== null && 'would' in result ? result.would : undefined;
  if (Array.isArray(would))
    return <Notice tone="good">{t(would.length > 0 ? 'dryRunDone' : 'wouldNothing')}</Notice>;
  return <Notice tone="good">{t('dryRunElsewhere')}</Notice>;
}
