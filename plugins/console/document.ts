import type { HttpRouteResponse } from '../../kernel/index.ts';
import { type Html, html } from '../shared/text/html.ts';
import type { Assets } from './assets.ts';
import { safeHeaders } from './headers.ts';

export interface DocumentParts {
  readonly status: number;
  readonly title: string;
  readonly assets: Assets | undefined;
  /** Class of the body, for the style sheet. @default none */
  readonly className?: string;
  /** More elements of the head. @default none */
  readonly head?: Html;
  readonly body: Html;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Returns a page of the console in HTML. It works without its style and without script. */
export function documentOf({ status, title, assets, className = '', head = html``, body, headers = {} }: DocumentParts): HttpRouteResponse {
  const files =
    assets === undefined ? html`` : html`<link rel="stylesheet" href="${assets.style}"><script src="${assets.script}" defer></script>`;
  const document = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><meta name="robots" content="noindex"><link rel="icon" href="data:,"><title>${title}</title>${files}${head}</head>
<body class="${className}">
${body}
</body></html>
`;
  return { status, headers: { ...safeHeaders, 'content-type': 'text/html; charset=utf-8', ...headers }, body: document.toString() };
}
