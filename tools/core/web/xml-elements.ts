import type { CheerioAPI } from 'cheerio';

/** XML element from a parser that accepts errors. */
export type XmlNode = Parameters<CheerioAPI['contains']>[0] & {
  readonly name: string;
  readonly attribs: Readonly<Record<string, string>>;
};
