import { useEffect } from 'preact/hooks';

/** Shows the head of a page and gives its title the focus, when an item is opened within a page. */
export function useTitleFocus(id: string | undefined): void {
  useEffect(() => {
    scrollTo(0, 0);
    document.querySelector<HTMLElement>('#main h1')?.focus({ preventScroll: true });
  }, [id]);
}
