/**
 * The thread that turns one HTML page into Markdown or text. JavaScript, so that it starts without a compiler.
 * Takes `{html, format, url}` as its data, answers `{title, content}` once.
 */
import { parentPort, workerData } from 'node:worker_threads';
import { convert } from 'html-to-text';

/** Elements that hold no text of the page. */
const silent = ['script', 'style', 'noscript', 'template', 'title', 'svg', 'canvas', 'iframe', 'object', 'datalist'];

/** Longest address, in UTF-16 units: reading a host of combining marks takes the square of their number, and nothing ends a thread meanwhile. */
const maxAddress = 8192;

const { html, format, url } = workerData;
parentPort.postMessage({ title: titleOf(html), content: await contentOf() });

async function contentOf() {
  if (format === 'html') return html;
  return format === 'text' ? textOf(html) : markdownOf(html, baseOf(html));
}

function titleOf(page) {
  const title = firstElement(page, 'title', 'inline').replace(/\s+/g, ' ').trim();
  return title === '' ? null : title;
}

/** The address that relative ones start from: `<base href>`, or that of the page. */
function baseOf(page) {
  const href = firstElement(page, 'base', 'href');
  return (href === '' ? undefined : parseUrl(href, url)) ?? new URL(url);
}

/** Empty when there is none, and in a page that is nested too deeply to look for it. */
function firstElement(page, selector, format) {
  const options = {
    wordwrap: false,
    baseElements: { selectors: [selector], returnDomByDefault: false },
    limits: { maxBaseElements: 1 },
    formatters: { href: (element, _walk, builder) => builder.addInline(element.attribs.href ?? '', { noWordTransform: true }) },
    selectors: [{ selector, format }],
  };
  try {
    return convert(page, options);
  } catch (error) {
    if (error instanceof RangeError) return '';
    throw error;
  }
}

function textOf(page) {
  const plain = { leadingLineBreaks: 2, trailingLineBreaks: 2, uppercase: false };
  const headings = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, format: 'heading', options: plain }));
  const text = convert(page, {
    wordwrap: false,
    selectors: [
      ...headings,
      { selector: 'a', options: { ignoreHref: true } },
      { selector: 'img', format: 'skip' },
      { selector: 'tr', format: 'block', options: { leadingLineBreaks: 1, trailingLineBreaks: 1 } },
      ...['td', 'th'].map((selector) => ({ selector, format: 'inlineSurround', options: { suffix: ' ' } })),
      ...silent.map((selector) => ({ selector, format: 'skip' })),
    ],
  });
  return text
    .replace(/[ \t]+$/gm, '')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
}

async function markdownOf(page, base) {
  const { default: Turndown } = await import('turndown');
  const turndown = new Turndown({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-', hr: '---' });
  turndown.remove(silent);
  turndown.addRule('link', { filter: 'a', replacement: (content, node) => link(content, absolute(node.getAttribute('href'), base)) });
  turndown.addRule('image', {
    filter: 'img',
    replacement: (_content, node) => image(node.getAttribute('alt') ?? '', absolute(node.getAttribute('src'), base)),
  });
  addTables(turndown);
  return turndown.turndown(page).trim();
}

/** An absolute http, https, mailto or tel address; undefined for anything else, such as javascript: and data:. */
function absolute(address, base) {
  const found = address === null ? undefined : parseUrl(address.trim(), base);
  if (found === undefined || !['http:', 'https:', 'mailto:', 'tel:'].includes(found.protocol)) return undefined;
  return found.href.replace(/[()]/g, encodeParenthesis);
}

/** As parseUrl of the kernel, which would need a compiler. */
function parseUrl(text, base) {
  if (text.length > maxAddress) return undefined;
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}

/** A parenthesis would end the address in Markdown. */
function encodeParenthesis(character) {
  return character === '(' ? '%28' : '%29';
}

function link(content, address) {
  const text = oneLine(content);
  return address === undefined || text === '' ? content : `[${text}](${address})`;
}

function image(alternative, address) {
  return address === undefined ? '' : `![${oneLine(alternative).replace(/[[\]]/g, '\\$&')}](${address})`;
}

function oneLine(text) {
  return text.replace(/\s+/g, ' ').trim();
}

/** Tables with a heading row become Markdown tables. All others are layout: their cells stay paragraphs. */
function addTables(turndown) {
  const known = new WeakMap();
  const isData = (table) => {
    // Where nothing is found this parser gives undefined.
    if (!known.has(table)) known.set(table, table.querySelector('table') === undefined && table.querySelector('tr > th') !== undefined);
    return known.get(table);
  };
  const inData = (names) => (node) => {
    if (!names.includes(node.nodeName)) return false;
    const table = closestTable(node);
    return table !== null && isData(table);
  };
  turndown.addRule('cell', { filter: inData(['TD', 'TH']), replacement: (content) => ` ${oneLine(content).replaceAll('|', '\\|')} |` });
  turndown.addRule('row', { filter: inData(['TR']), replacement: (content, row) => `\n|${content}${isFirst(row) ? ruler(row) : ''}` });
  turndown.addRule('section', { filter: inData(['THEAD', 'TBODY', 'TFOOT']), replacement: (content) => content });
  turndown.addRule('table', { filter: inData(['TABLE']), replacement: (content) => `\n\n${content.trim()}\n\n` });
}

function closestTable(node) {
  let found = node;
  while (found !== null && found.nodeName !== 'TABLE') found = found.parentNode;
  return found;
}

function isFirst(row) {
  return closestTable(row).querySelector('tr') === row;
}

/** The line that makes the first row the head of a Markdown table. */
function ruler(row) {
  const cells = Array.from(row.childNodes).filter(({ nodeName }) => nodeName === 'TD' || nodeName === 'TH');
  return `\n|${' --- |'.repeat(cells.length)}`;
}
