import { normalizeText } from '../../../kernel/index.ts';

/** Words that say nothing about a service. */
const emptyWords: ReadonlySet<string> = new Set(
  [
    'api',
    'apis',
    'the',
    'a',
    'an',
    'of',
    'for',
    'and',
    'rest',
    'restful',
    'http',
    'openapi',
    'swagger',
    'open',
    'public',
    'v',
    'version',
    'spec',
  ].concat([
    'specification',
    'documentation',
    'docs',
    'reference',
    'service',
    'services',
    'platform',
    'definition',
    'yaml',
    'json',
    'www',
    'com',
    'io',
  ]),
);

const maxLength = 20;

/**
 * Proposes the name of a source from the title of its document: the first words that name the service. The title is searched in the text, because a
 * proposal is needed before the document is loaded.
 */
export function proposeName(text: string, document: string): string {
  const title = /"title"\s*:\s*"([^"\\]{1,200})"/.exec(text)?.[1] ?? /^[ \t]{1,8}title:[ \t]*["']?([^"'\r\n]{1,200})/m.exec(text)?.[1];
  const fileName =
    document
      .split(/[\\/]/)
      .at(-1)
      ?.replace(/\.[^.]*$/, '') ?? '';
  return nameFrom(title ?? '') ?? nameFrom(fileName) ?? 'service';
}

function nameFrom(text: string): string | undefined {
  const words = (
    normalizeText(text.slice(0, 100), 'NFKD')
      .toLowerCase()
      .match(/[a-z][a-z0-9]*/g) ?? []
  ).filter((word) => !emptyWords.has(word) && !/^v\d/.test(word));
  const [first, second] = words;
  if (first === undefined) return undefined;
  const both = second === undefined ? first : `${first}_${second}`;
  return (both.length <= maxLength && first.length < 5 ? both : first).slice(0, maxLength);
}
