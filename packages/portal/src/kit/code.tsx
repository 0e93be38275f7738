/** Literal text with a button that copies it. */
import { CopyButton } from './copy-button.tsx';

export function Code({ text, label }: { readonly text: string; readonly label: string }) {
  return (
    <div className="code">
      <section aria-label={label} {...scrolled}>
        <pre>
          <code>{text}</code>
        </pre>
      </section>
      <CopyButton text={text} />
    </div>
  );
}

/** Without a mouse, the arrows scroll it. */
const scrolled = { tabIndex: 0 };
