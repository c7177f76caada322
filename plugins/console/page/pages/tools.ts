import { PageHead } from '../components/page-head.ts';
import { html } from '../html.ts';
import type { Page } from './page.ts';

/** The page Tools. */
export const ToolsPage: Page = () => html`<${PageHead} title="Tools" />`;
