/**
 * The URL, relative to a base where one is given; undefined for a text that is none. In place of URL.canParse, which in Node 20 says no to a
 * host with letters such as "ü" once it was called often.
 */
export function parseUrl(text: string, base?: string | URL): URL | undefined {
  try {
    return new URL(text, base);
  } catch {
    return undefined;
  }
}
