import type { VNode } from 'preact';
import { useCallback, useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Overview } from '../../wire/state.ts';
import type { Api } from '../api.ts';
import { Toasts } from '../components/toast.ts';
import { type ConsoleContext, ConsoleProvider } from '../console-context.ts';
import { Drafts } from '../drafts.ts';
import { shownLine } from '../formats/shown-text.ts';
import { useCommands } from '../hooks/use-commands.ts';
import { useRoute } from '../hooks/use-route.ts';
import { html } from '../html.ts';
import type { Live } from '../live.ts';
import { pageOf } from '../pages/index.ts';
import { Rereading } from '../rereading.ts';
import type { PageName, Route } from '../router.ts';
import { Header } from './header.ts';
import { KeyHelp } from './key-help.ts';
import { Navigation, pageTitles } from './navigation.ts';
import { useAnnouncement } from './use-announcement.ts';
import { useToasts } from './use-toasts.ts';

export interface ShellProps {
  readonly api: Api;
  readonly live: Live;
  readonly overview: Overview;
  readonly onSignedOut: () => void;
}

/** The frame of all pages: header, navigation, the page, messages and the live region. */
export function Shell({ api, live, overview: first, onSignedOut }: ShellProps): VNode {
  const route = useRoute();
  const [overview, setOverview] = useState(first);
  const [isOnline, setIsOnline] = useState(true);
  const [isMenuOpen, setIsMenuOpen] = useState(false);
  const [isHelpOpen, setIsHelpOpen] = useState(false);
  const { toasts, add, remove } = useToasts();
  const [announcement, announce] = useAnnouncement();
  const main = useRef<HTMLElement>(null);
  const lastPage = useRef(route.page);

  const notify = useCallback<ConsoleContext['notify']>(
    (text, tone, href) => {
      add(text, tone, href);
      announce(text);
    },
    [add, announce],
  );
  useEffect(() => live.onState(setIsOnline), [live]);
  useEffect(() => live.on('session', onSignedOut), [live, onSignedOut]);
  useEffect(() => {
    const reading = new Rereading(() => api.get<Overview>('overview').then(setOverview, () => undefined));
    return live.on('approvals', () => void reading.request());
  }, [live, api]);
  useEffect(() => {
    document.title = `${overview.waiting > 0 ? `(${overview.waiting}) ` : ''}${titleOf(route)} · toolkit console`;
  }, [route.page, route.id, overview.waiting]);
  useEffect(() => {
    if (lastPage.current === route.page) return;
    lastPage.current = route.page;
    scrollTo(0, 0);
    main.current?.querySelector<HTMLElement>('h1')?.focus();
  }, [route.page]);
  useCommands({
    help: () => {
      setIsHelpOpen(true);
      return true;
    },
  });

  const skip = (event: Event): void => {
    // The address is the page's: a jump within it must not change it.
    event.preventDefault();
    main.current?.focus();
  };
  const signOut = (): void => void api.post('logout', {}).then(onSignedOut, (error: Error) => notify(error.message, 'danger'));
  const drafts = useMemo(() => new Drafts(), []);
  const context = useMemo(() => ({ api, live, overview, drafts, notify, announce }), [api, live, overview, drafts, notify, announce]);
  return html`<${ConsoleProvider} value=${context}>
    <a class="skip-link" href="#main" onClick=${skip}>Skip to the page</a>
    <${Header} overview=${overview} isOnline=${isOnline} isMenuOpen=${isMenuOpen} onMenu=${() => setIsMenuOpen(!isMenuOpen)}
      onHelp=${() => setIsHelpOpen(true)} onSignOut=${signOut} />
    <div class="frame">
      <${Navigation} page=${route.page} waiting=${overview.waiting} isOpen=${isMenuOpen} onFollow=${() => setIsMenuOpen(false)} />
      <main id="main" class="main" tabindex="-1" ref=${main}><${pageOf(route)} route=${route} key=${route.page} /></main>
    </div>
    <${Toasts} toasts=${toasts} onClose=${remove} />
    <div class="hidden-text" aria-live="polite">${announcement}</div>
    ${isHelpOpen && html`<${KeyHelp} onClose=${() => setIsHelpOpen(false)} />`}
  <//>`;
}

/** Titles of single items whose address has no name. */
const itemTitles: Partial<Readonly<Record<PageName, string>>> = { calls: 'Call' };

/** Returns the title of a page for the browser's tab and history: the item first. */
function titleOf({ page, id }: Route): string {
  const item = id === undefined ? undefined : page === 'tools' ? shownLine(id) : itemTitles[page];
  return item === undefined ? pageTitles[page] : `${item} · ${pageTitles[page]}`;
}
