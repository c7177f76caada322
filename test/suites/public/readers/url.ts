import type { PublicSuite } from '../public-suite.ts';
import { differenceFrom, differenceFromRefusal, toolAnswer } from '../tool-answer.ts';

/** A case of `urltestdata.json`. */
interface UrlInput {
  readonly input: string;
  readonly failure?: boolean;
  readonly protocol: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
  readonly username: string;
}

/** The members of a result that the suite has as well. */
interface UrlParts {
  readonly protocol: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: number | null;
  readonly path: string;
  readonly query: Readonly<Record<string, string | readonly string[]>>;
  readonly fragment: string;
  readonly username: string;
}

/** Parsing of URLs, from web-platform-tests, for `encode_url_parse`, which takes no base. */
export const url: PublicSuite = {
  name: 'url',
  casesOf: (file) =>
    (file as readonly { readonly id: string; readonly input: UrlInput }[]).map(({ id, input }) => ({
      id,
      difference: async (toolkit) => {
        const answer = await toolAnswer(toolkit, 'encode_url_parse', { url: input.input });
        if (input.failure === true) return differenceFromRefusal(answer);
        return differenceFrom(
          answer,
          expectedParts(input),
          ({ protocol, host, hostname, port, path, query, fragment, username }: UrlParts) => ({
            protocol,
            host,
            hostname,
            port,
            path,
            query: Object.entries(query).flatMap(([key, value]) => [value].flat().map((one) => `${key}=${one}`)),
            fragment,
            username,
          }),
        );
      },
    })),
};

/** Queries as pairs in their order, as far as a key comes once. */
function expectedParts({ protocol, host, hostname, port, pathname, search, hash, username }: UrlInput): object {
  return {
    protocol: protocol.slice(0, -1),
    host,
    hostname,
    port: port === '' ? null : Number(port),
    path: pathname,
    query: Array.from(new URLSearchParams(search), ([key, value]) => `${key}=${value}`),
    fragment: hash.slice(1),
    username: decodeURIComponent(username),
  };
}
