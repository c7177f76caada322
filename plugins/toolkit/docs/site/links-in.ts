import Reader from 'markdown-it';

const reader = new Reader();
// Relative addresses stay as they are written.
reader.validateLink = () => true;
reader.normalizeLink = (url) => url;

/** Returns the addresses of the links of a Markdown text, as they are written. */
export function linksIn(markdown: string): readonly string[] {
  return addressesIn(markdown, 'href');
}

/** Returns the addresses of the pictures of a Markdown text, as they are written. */
export function picturesIn(markdown: string): readonly string[] {
  return addressesIn(markdown, 'src');
}

function addressesIn(markdown: string, attribute: 'href' | 'src'): readonly string[] {
  const tokens = reader.parse(markdown, {}).flatMap(({ children }) => children ?? []);
  return tokens.map((token) => token.attrGet(attribute)).filter((address) => typeof address === 'string');
}
