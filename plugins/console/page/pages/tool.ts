import { PageHead } from '../components/page-head.ts';
import { html } from '../html.ts';
import type { Page } from './page.ts';

/** The page Tool. */
export const ToolPage: Page = () => html`<${PageHead} title="Tool" />`;
