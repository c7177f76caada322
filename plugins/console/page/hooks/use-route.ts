import { useEffect, useState } from 'preact/hooks';
import { parseHash, type Route } from '../router.ts';

/** Returns the address, and shows the component again when it changes. */
export function useRoute(): Route {
  const [hash, setHash] = useState(() => location.hash);
  useEffect(() => {
    const onChange = (): void => setHash(location.hash);
    addEventListener('hashchange', onChange);
    return () => removeEventListener('hashchange', onChange);
  }, []);
  return parseHash(hash);
}

/** True while the address is the one that was read. What runs after a drawing may find a later one. */
export function isPresent({ page, id }: Route): boolean {
  const present = parseHash(location.hash);
  return present.page === page && present.id === id;
}

/** Goes to an address. `replace`: without an entry in the history, such as for a moved selection. */
export function goTo(hash: string, { replace = false } = {}): void {
  if (location.hash === hash) return;
  if (!replace) {
    location.hash = hash;
    return;
  }
  history.replaceState(null, '', hash);
  dispatchEvent(new HashChangeEvent('hashchange'));
}
