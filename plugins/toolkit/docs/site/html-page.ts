import { escapeUTF8 } from 'entities';
import { relativeAddress } from './page-address.ts';

export interface HtmlPage {
  readonly title: string;
  readonly address: string;
  /** The content, as HTML. */
  readonly content: string;
  readonly menu: readonly { readonly title: string; readonly address: string }[];
}

/** The frame of a page: menu, search and content. It asks for nothing but files of the site, relative to itself. */
export function htmlPage({ title, address, content, menu }: HtmlPage): string {
  const to = (other: string): string => escapeUTF8(relativeAddress(address, other));
  const links = menu.map((entry) => {
    const current = entry.address === address ? ' aria-current="page"' : '';
    return `<li><a href="${to(entry.address)}"${current}>${escapeUTF8(entry.title)}</a></li>`;
  });
  return `<!doctype html>
<html lang="en" data-base="${escapeUTF8(baseOf(address))}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeUTF8(title)} – toolkit</title>
<link rel="stylesheet" href="${to('assets/style.css')}">
<script src="${to('assets/search.js')}" defer></script>
</head>
<body>
<header>
<nav><ul>${links.join('')}</ul></nav>
<input id="search" type="search" placeholder="Search tools, hooks, error codes, keys, options" aria-label="Search" autocomplete="off">
<ol id="hits" aria-live="polite"></ol>
</header>
<main>
${content}</main>
</body>
</html>
`;
}

/** From a page to the folder of the site, such as `../../`. */
function baseOf(address: string): string {
  return '../'.repeat(address.split('/').length - 1);
}
