/** A feed of the kind that a case of feedparser is about. */
interface FeedInput {
  readonly xml: string;
  /** The member of the result that has the value, as in `feed.author.email`. */
  readonly member: string;
  readonly value: string;
  /** The value is HTML. */
  readonly isMarkup: boolean;
}

/** Members of the result by those of feedparser. */
const members: Readonly<Record<string, string>> = {
  copyright: 'copyright',
  info: 'description',
  tagline: 'description',
  description: 'description',
  title: 'title',
  link: 'link',
  links: 'link',
  updated: 'updated_at',
  author: 'author',
  version: 'format',
};

/** A value for cases that expect a type, or nothing that is written down. */
const sample = 'Example <b>text</b> &amp; more';

/** Returns a feed in which the value stands where the file of the case has it; undefined where the path does not say where. */
export function feedOf(path: string, expectation: string): FeedInput | undefined {
  const [, folder, stem = ''] = /^\/(\w+)\/(.*)\.xml$/.exec(path) ?? [];
  const [, owner = '', name = '', part = '', value] =
    /(feed|entries\[0\]|version)(?:\['(\w+?)(?:_detail)?'\])?(?:\[0\])?(?:\['(\w+)'\])? == (?:"""|['"])([\s\S]*?)(?:"""|['"])(?: and |$)/.exec(
      expectation,
    ) ?? [];
  if (owner === 'version') return versioned(value ?? '', stem);
  const isItem = owner === '' ? !stem.startsWith('feed_') : owner !== 'feed';
  const isType = owner === '' || part === 'type';
  const text = isType ? sample : (value ?? '');
  const content = contentOf(stem, text, part);
  if (content === undefined) return undefined;
  const kind = owner === '' ? (/info|copyright/.exec(stem)?.[0] ?? 'summary') : name;
  const member = isItem && !['title', 'link', 'author'].includes(kind) ? 'summary' : members[kind];
  const isText = ['title', 'link', 'author', 'updated_at'].includes(member ?? '');
  return {
    xml: documentOf(folder ?? '', content, isItem),
    member: `${isItem ? 'item' : 'feed'}.${member}${part === 'name' || part === 'email' ? `.${part}` : ''}`,
    value: text,
    isMarkup: !isText,
  };
}

/** The element that the name of the file speaks of, or an attribute of the one around. */
interface Content {
  readonly element?: string;
  readonly attribute?: string;
}

function contentOf(stem: string, value: string, part: string): Content | undefined {
  const person = part === 'email' ? `Example editor (${value})` : part === 'name' ? `${value} (me@example.com)` : value;
  const text = escaped(value);
  const atom = /^feed_(copyright|info)/.exec(stem)?.[1];
  if (atom !== undefined) return { element: atomElement(atom, stem, value) };
  if (stem.includes('abstract')) return { element: `<ABSTRACT>${text}</ABSTRACT>` };
  if (stem.includes('href')) return { attribute: `HREF="${text}"` };
  if (stem.includes('lastmod')) return { attribute: `LASTMOD="${text}"` };
  if (stem.includes('dc_author')) return { element: `<dc:author>${escaped(person)}</dc:author>` };
  if (stem.includes('_author')) return { element: `<author>${escaped(person)}</author>` };
  if (stem.includes('dc_title')) return { element: `<dc:title>${text}</dc:title>` };
  if (stem.endsWith('_title')) return { element: `<TITLE>${text}</TITLE>` };
  if (stem.includes('description')) return { element: `<description>${text}</description>` };
  if (stem.includes('fullitem')) return { element: `<fullitem>${text}</fullitem>` };
  if (stem.includes('xhtml_body')) return { element: `<xhtml:body>${value}</xhtml:body>` };
  if (stem.includes('guid')) return { element: `<guid${stem.includes('isPermaLink') ? ' isPermaLink="true"' : ''}>${text}</guid>` };
  if (stem.includes('image_link')) return { element: `<link>${text}</link><image><link>${text}image</link></image>` };
  return undefined;
}

/** A text of Atom 0.3 in the form that the rest of the name says. */
function atomElement(name: string, stem: string, value: string): string {
  if (stem.includes('base64')) return `<${name} type="text/html" mode="base64">${Buffer.from(value).toString('base64')}</${name}>`;
  if (stem.includes('escaped')) return `<${name} type="text/html" mode="escaped">${escaped(value)}</${name}>`;
  if (stem.includes('inline_markup')) return `<${name} type="application/xhtml+xml">${value}</${name}>`;
  if (stem.includes('naked_markup')) return `<${name}>${value}</${name}>`;
  return value === sample
    ? `<${name} type="text/html" mode="escaped">${escaped(value)}</${name}>`
    : `<${name} type="text/plain">${escaped(value)}</${name}>`;
}

function documentOf(folder: string, { element = '', attribute = '' }: Content, isItem: boolean): string {
  if (folder === 'atom') return `<feed version="0.3" xmlns="http://purl.org/atom/ns#">${element}</feed>`;
  if (folder === 'cdf')
    return isItem ? `<CHANNEL><ITEM ${attribute}>${element}</ITEM></CHANNEL>` : `<CHANNEL ${attribute}>${element}</CHANNEL>`;
  const names = 'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:xhtml="http://www.w3.org/1999/xhtml"';
  return `<rss version="2.0" ${names}><channel>${isItem ? `<item>${element}</item>` : element}</channel></rss>`;
}

/** A feed that holds nothing, in the format that is expected. */
function versioned(version: string, stem: string): FeedInput | undefined {
  const digits = /^rss_version_(\d)(\d+)/.exec(stem);
  if (digits === null) return undefined;
  const written = `${digits[1]}.${digits[2]}`;
  const isRdf = version === 'rss090';
  const netscape = '<!DOCTYPE rss SYSTEM "http://my.netscape.com/publish/formats/rss-0.91.dtd">';
  const rdf = '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://my.netscape.com/rdf/simple/0.9/"></rdf:RDF>';
  const rss = `${version.endsWith('n') ? netscape : ''}<rss version="${written}"></rss>`;
  return { xml: isRdf ? rdf : rss, member: 'version', value: `RSS ${isRdf ? '0.90' : written}`, isMarkup: false };
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
}
