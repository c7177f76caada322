import { PageHead } from '../components/page-head.ts';
import { html } from '../html.ts';
import type { Page } from './page.ts';

/** The page Secrets. */
export const SecretsPage: Page = () => html`<${PageHead} title="Secrets" />`;
