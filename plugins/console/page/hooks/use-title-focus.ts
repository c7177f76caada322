import { useEffect } from 'preact/hooks';

/** Shows the head of a page and gives its title the focus when a list or an item is opened, but not when the whole page was just loaded. */
export function useTitleFocus(id?: string): void {
  useEffect(() => {
    const main = document.getElementById('main');
    if (main === null) return;
    if (main.dataset['visited'] !== undefined) {
      scrollTo(0, 0);
      main.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });
    }
    main.dataset['visited'] = 'yes';
  }, [id]);
}
