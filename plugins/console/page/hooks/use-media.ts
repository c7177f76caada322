import { useEffect, useState } from 'preact/hooks';

/** Width from which a list and its details are beside each other. The style sheet has the same one. */
export const wideScreen = '(min-width: 60rem)';

/** Returns true while the media query matches. */
export function useMedia(query: string): boolean {
  const [isMatch, setIsMatch] = useState(() => matchMedia(query).matches);
  useEffect(() => {
    const list = matchMedia(query);
    const onChange = (): void => setIsMatch(list.matches);
    list.addEventListener('change', onChange);
    return () => list.removeEventListener('change', onChange);
  }, [query]);
  return isMatch;
}
