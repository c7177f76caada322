import { PageHead } from '../components/page-head.ts';
import { html } from '../html.ts';
import type { Page } from './page.ts';

/** The page Problems. */
export const ProblemsPage: Page = () => html`<${PageHead} title="Problems" />`;
