/** Small components for display: cards, badges, notices, facts, and placeholders while loading. */
import { type ReactNode, useId } from 'react';
import { useLanguage } from '../texts/language.ts';

export type Tone = 'good' | 'warn' | 'bad' | 'accent' | 'plain';

interface CardProps {
  readonly title: string;
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** A part of a page, with a heading that names it. */
export function Card({ title, actions, children }: CardProps) {
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <div className="card-head">
        <h2 id={id}>{title}</h2>
        {actions !== undefined && <div className="row">{actions}</div>}
      </div>
      {children}
    </section>
  );
}

export function Badge({ tone = 'plain', children }: { readonly tone?: Tone; readonly children: ReactNode }) {
  return (
    <span className="badge" data-tone={tone}>
      {children}
    </span>
  );
}

/** `alert`: read out at once, for what went wrong. */
export function Notice({
  tone = 'accent',
  alert = false,
  children,
}: {
  readonly tone?: Tone;
  readonly alert?: boolean;
  readonly children: ReactNode;
}) {
  return (
    <div className="notice" data-tone={tone} {...(alert && { role: 'alert' })}>
      {children}
    </div>
  );
}

/** A name and what it is, each. */
export function Facts({ facts }: { readonly facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="facts">
      {facts.map(([name, value]) => (
        <div key={name} className="facts-row">
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

export function Empty({ children }: { readonly children: ReactNode }) {
  return <p className="empty">{children}</p>;
}

export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  return (
    <div className="stack-tight" aria-busy="true">
      {Array.from({ length: lines }, (_, line) => `line ${line}`).map((key) => (
        <div key={key} className="skeleton" />
      ))}
    </div>
  );
}

/** A moment, in the words of the language and the zone of the browser. */
export function Moment({ at }: { readonly at: Date }) {
  const language = useLanguage();
  const text = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeStyle: 'short' }).format(at);
  return <time dateTime={at.toISOString()}>{text}</time>;
}

/** A day, whatever the zone of the browser. @param day `2026-11-24` */
export function Day({ day }: { readonly day: string }) {
  const language = useLanguage();
  const format = new Intl.DateTimeFormat(language, { dateStyle: 'medium', timeZone: 'UTC' });
  return <time dateTime={day}>{format.format(new Date(day))}</time>;
}
