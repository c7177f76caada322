import type { CheerioAPI } from 'cheerio';

/** An element of XML that was read whatever is wrong in it. */
export type XmlNode = Parameters<CheerioAPI['contains']>[0] & {
  readonly name: string;
  readonly attribs: Readonly<Record<string, string>>;
};
