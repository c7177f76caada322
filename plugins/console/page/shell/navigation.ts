import type { VNode } from 'preact';
import { html } from '../html.ts';
import { hashOf, type PageName, pageNames } from '../router.ts';

/** Titles of the pages. */
export const pageTitles: Readonly<Record<PageName, string>> = {
  inbox: 'Inbox',
  calls: 'Calls',
  tools: 'Tools',
  sources: 'Sources',
  state: 'State',
  accounts: 'Accounts',
  secrets: 'Secrets',
  problems: 'Problems',
};

export interface NavigationProps {
  readonly page: PageName;
  /** Number of calls that wait. */
  readonly waiting: number;
  /** True when a phone shows the menu. */
  readonly isOpen: boolean;
  readonly onFollow: () => void;
}

/** The list of pages: at the left, or a menu on a phone. */
export function Navigation({ page, waiting, isOpen, onFollow }: NavigationProps): VNode {
  return html`<nav id="navigation" class=${`navigation ${isOpen ? 'open' : ''}`} aria-label="Pages"><ul>${pageNames.map(
    (name) => html`<li key=${name}><a href=${hashOf(name)} aria-current=${name === page ? 'page' : undefined} onClick=${onFollow}>
      <span>${pageTitles[name]}</span>
      ${name === 'inbox' && waiting > 0 && html`<span class="count">${waiting}<span class="hidden-text"> waiting</span></span>`}</a></li>`,
  )}</ul></nav>`;
}
