import { useLayoutEffect, useState } from 'preact/hooks';
import { useConsole } from '../console-context.ts';

/** A state that outlives its component, by key. Setting undefined removes it. */
export function useDraft<T>(key: string): readonly [value: T | undefined, setValue: (next: T | undefined) => void] {
  const { drafts } = useConsole();
  const [, show] = useState(0);
  useLayoutEffect(
    () =>
      drafts.onChange((changed) => {
        if (changed === key) show((count) => count + 1);
      }),
    [drafts, key],
  );
  return [drafts.get(key) as T | undefined, (next) => drafts.set(key, next)];
}
