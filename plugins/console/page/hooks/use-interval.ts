import { useEffect, useRef } from 'preact/hooks';

/** Calls `run` after each interval while the page can be seen. */
export function useInterval(run: () => void, intervalMs: number): void {
  const latest = useRef(run);
  latest.current = run;
  useEffect(() => {
    const timer = setInterval(() => {
      if (document.visibilityState === 'visible') latest.current();
    }, intervalMs);
    return () => clearInterval(timer);
  }, [intervalMs]);
}
