import { PageHead } from '../components/page-head.ts';
import { html } from '../html.ts';
import type { Page } from './page.ts';

/** The page Calls. */
export const CallsPage: Page = () => html`<${PageHead} title="Calls" />`;
