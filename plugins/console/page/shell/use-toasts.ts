import { useCallback, useRef, useState } from 'preact/hooks';
import type { Toast } from '../components/toast.ts';

const shownMs = 8000;
const maxToasts = 3;

export interface ToastList {
  readonly toasts: readonly Toast[];
  readonly add: (text: string, tone?: Toast['tone'], href?: string) => void;
  readonly remove: (id: number) => void;
}

/** Holds the newest messages. One of success leaves by itself; one of a failure stays until it is closed. */
export function useToasts(): ToastList {
  const [toasts, setToasts] = useState<readonly Toast[]>([]);
  const lastId = useRef(0);
  const remove = useCallback((id: number) => setToasts((all) => all.filter((toast) => toast.id !== id)), []);
  const add = useCallback(
    (text: string, tone: Toast['tone'] = 'ok', href?: string) => {
      const id = ++lastId.current;
      setToasts((all) => [...all, { id, text, tone, href }].slice(-maxToasts));
      if (tone === 'ok') setTimeout(() => remove(id), shownMs);
    },
    [remove],
  );
  return { toasts, add, remove };
}
