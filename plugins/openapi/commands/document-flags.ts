import { type CommandFlag, excerpt, parseUrl, ToolkitError } from '../../../kernel/index.ts';
import type { DocumentSource } from '../options.ts';

/** Flags of the commands that look at a document which the configuration does not name yet. */
export const documentFlags: readonly CommandFlag[] = [
  { flag: '--server <url>', description: "the base URL, in place of the document's servers; it may be a private one", parse: wholeUrl },
  {
    flag: '--tag <tag>',
    description: 'only operations with this tag; may be given several times, * stands for any characters',
    repeats: true,
  },
  { flag: '--allow-host <host>', description: 'the host of a URL document that may be private, such as localhost:8080' },
];

/** Returns the settings of a source that these flags give. */
export function sourceOf(document: string, flags: Readonly<Record<string, unknown>>): DocumentSource {
  const { server, tag } = flags as { server?: string; tag?: string[] };
  return { document, ...(tag === undefined ? {} : { include: { tags: tag } }), ...(server === undefined ? {} : { server }) };
}

/** Throws INVALID_PARAMETERS for anything but a whole URL. */
function wholeUrl(value: string): string {
  if (/^https?:$/.test(parseUrl(value)?.protocol ?? '')) return value;
  throw new ToolkitError(
    'INVALID_PARAMETERS',
    `expected a whole URL such as https://api.example.com/v1, received "${excerpt(value, 100)}"`,
  );
}
