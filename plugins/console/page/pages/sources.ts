import { PageHead } from '../components/page-head.ts';
import { html } from '../html.ts';
import type { Page } from './page.ts';

/** The page Sources. */
export const SourcesPage: Page = () => html`<${PageHead} title="Sources" />`;
