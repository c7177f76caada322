import { useRef } from 'preact/hooks';

/** Returns true once the digest of what is shown differs from the first one: the person may have read something else. */
export function useHasChanged(digest: string | undefined): boolean {
  const first = useRef<string>(undefined);
  first.current ??= digest;
  return digest !== undefined && digest !== first.current;
}
