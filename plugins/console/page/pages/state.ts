import { PageHead } from '../components/page-head.ts';
import { html } from '../html.ts';
import type { Page } from './page.ts';

/** The page State. */
export const StatePage: Page = () => html`<${PageHead} title="State" />`;
