/** A button that copies a text. */
import { useEffect, useState } from 'react';
import { kitTexts } from '../texts/kit/index.ts';
import { useTexts } from '../texts/text.ts';
import { IconButton } from './button.tsx';

export function CopyButton({ text, label }: { readonly text: string; readonly label?: string }) {
  const t = useTexts(kitTexts);
  const [copied, setCopied] = useState(false);
  useEffect(() => {
    if (!copied) return undefined;
    const timer = setTimeout(() => setCopied(false), 2000);
    return () => clearTimeout(timer);
  }, [copied]);
  const copy = () => navigator.clipboard.writeText(text).then(() => setCopied(true));
  return (
    <>
      <IconButton size="small" icon={copied ? 'check' : 'copy'} label={label ?? t('copy')} onPress={copy} />
      <span role="status" className="visually-hidden">
        {copied ? t('copied') : ''}
      </span>
    </>
  );
}

export function Copyable({ text }: { readonly text: string }) {
  return (
    <span className="copyable">
      <code>{text}</code>
      <CopyButton text={text} />
    </span>
  );
}
