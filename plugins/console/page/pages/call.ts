import { PageHead } from '../components/page-head.ts';
import { html } from '../html.ts';
import type { Page } from './page.ts';

/** The page Call. */
export const CallPage: Page = () => html`<${PageHead} title="Call" />`;
