/** Toasts: outcomes of actions, with an undo where there is one. */
import { createContext, type ReactNode, useCallback, useContext, useEffect, useRef, useState } from 'react';
import { Button, IconButton } from '../kit/button.tsx';
import { kitTexts } from '../texts/kit/index.ts';
import { useTexts } from '../texts/text.ts';

export interface ToastWords {
  readonly tone: 'good' | 'bad';
  readonly text: string;
  readonly undo?: (() => void) | undefined;
}

interface Toast extends ToastWords {
  readonly id: number;
}

const ToastContext = createContext<(words: ToastWords) => void>(() => {});

export const useToast = (): ((words: ToastWords) => void) => useContext(ToastContext);

/** More would hide the page. */
const most = 4;
/** Milliseconds for which a toast is shown; one with an undo stays longer, and an error until it is closed. */
const usualTime = 6_000;
const undoTime = 20_000;

export function ToastProvider({ children }: { readonly children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const lastId = useRef(0);
  const add = useCallback((words: ToastWords) => {
    lastId.current += 1;
    const toast = { ...words, id: lastId.current };
    setToasts((before) => [...before.slice(1 - most), toast]);
  }, []);
  const close = useCallback(
    (id: number) => setToasts((before) => before.filter((toast) => toast.id !== id)),
    [],
  );
  const t = useTexts(kitTexts);
  return (
    <ToastContext value={add}>
      {children}
      <section className="toasts" aria-label={t('notifications')}>
        <div role="status" className="stack-tight">
          {toasts.map((toast) => (
            <ToastLine key={toast.id} toast={toast} onClose={close} />
          ))}
        </div>
      </section>
    </ToastContext>
  );
}

function ToastLine({ toast, onClose }: { readonly toast: Toast; readonly onClose: (id: number) => void }) {
  const { id, tone, text, undo } = toast;
  const t = useTexts(kitTexts);
  const [isHeld, setHeld] = useState(false);
  useEffect(() => {
    if (isHeld || tone === 'bad') return undefined;
    const timer = setTimeout(() => onClose(id), undo ? undoTime : usualTime);
    return () => clearTimeout(timer);
  }, [id, tone, undo, isHeld, onClose]);
  const takeBack = () => {
    undo?.();
    onClose(id);
  };
  const hold = () => setHeld(true);
  const release = () => setHeld(false);
  // Whoever is reading it, or about to press, is not hurried.
  const held = { onPointerEnter: hold, onPointerLeave: release, onFocus: hold, onBlur: release };
  return (
    <div className="toast" data-tone={tone} {...held}>
      <span className="toast-text">{text}</span>
      {undo && (
        <Button size="small" onPress={takeBack}>
          {t('undo')}
        </Button>
      )}
      <IconButton size="small" icon="close" label={t('close')} onPress={() => onClose(id)} />
    </div>
  );
}
