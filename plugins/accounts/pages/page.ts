import { createHash } from 'node:crypto';
import type { HttpRouteResponse } from '../../../kernel/index.ts';
import { Html, html } from '../../shared/text/html.ts';

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:34rem;margin:3rem auto;padding:0 1rem;overflow-wrap:anywhere}dt{font-weight:600}dd{margin:0 0 .5rem}' +
  '.warning{border-left:4px solid #b45309;padding-left:.75rem}.code{font:600 2rem monospace}button{font:inherit;padding:.5rem 1rem}';

/**
 * No script, frame or outside resource; the icon is an empty one, because browsers ask for one. `same-origin`: with `no-referrer` browsers send `Origin: null` with the form. No `form-action`: browsers
 * apply it to the redirects of a form too, and the provider's are not known.
 */
const headers: Readonly<Record<string, string>> = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': `default-src 'none'; img-src data:; style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'; base-uri 'none'; frame-ancestors 'none'`,
  'cross-origin-opener-policy': 'same-origin',
  'referrer-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Returns a page. */
export function page(status: number, title: string, body: Html, more: Readonly<Record<string, string>> = {}): HttpRouteResponse {
  const document = html`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="robots" content="noindex"><link rel="icon" href="data:,"><title>${title}</title><style>${new Html(style)}</style></head>
<body><main><h1>${title}</h1>
${body}
</main></body></html>
`;
  return { status, headers: { ...headers, ...more }, body: document.toString() };
}
