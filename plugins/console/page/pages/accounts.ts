import { PageHead } from '../components/page-head.ts';
import { html } from '../html.ts';
import type { Page } from './page.ts';

/** The page Accounts. */
export const AccountsPage: Page = () => html`<${PageHead} title="Accounts" />`;
