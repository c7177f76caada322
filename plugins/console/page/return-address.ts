const storedName = 'toolkit-console-address';

/** The parts of a window that are needed. */
export interface AddressWindow {
  readonly location: { readonly hash: string; readonly pathname: string };
  readonly history: { replaceState(data: unknown, unused: string, url: string): void };
  readonly sessionStorage: {
    getItem(name: string): string | null;
    setItem(name: string, value: string): void;
    removeItem(name: string): void;
  };
}

/** Stores the address of the page that the login interrupts, such as `#/inbox/<id>` of a link: no server gets it, and a login would lose it. */
export function storeAddress({ location, sessionStorage }: AddressWindow): void {
  const { hash, pathname } = location;
  // The login's own pages have no address of a page: what is stored stays.
  if (!/^\/console\/?$/.test(pathname)) return;
  if (hash.startsWith('#/')) sessionStorage.setItem(storedName, hash);
  else sessionStorage.removeItem(storedName);
}

/** Opens the stored address after the login, once. An address in the link wins. */
export function restoreAddress({ location, history, sessionStorage }: AddressWindow): void {
  const stored = sessionStorage.getItem(storedName);
  sessionStorage.removeItem(storedName);
  if (stored?.startsWith('#/') && location.hash === '') history.replaceState(null, '', stored);
}
