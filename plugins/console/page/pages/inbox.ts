import { PageHead } from '../components/page-head.ts';
import { html } from '../html.ts';
import type { Page } from './page.ts';

/** The page Inbox. */
export const InboxPage: Page = () => html`<${PageHead} title="Inbox" />`;
