/** Characters of a text that are parsed for a summary; parsing more takes long. */
const maxMarkup = 50_000;

/** Tag or character reference in a text that may be HTML. */
const markup = /<[/!]?[a-z-][^<>]*>|&(?:#\d+|#x[\da-f]+|[a-z][a-z\d]*);/i;

/** Returns the plain text of HTML in a feed, on one line; a text without markup is unchanged. */
export async function plainText(text: string): Promise<string> {
  if (!markup.test(text)) return text;
  const { convert } = await import('html-to-text');
  const skipped = ['img', 'script', 'style', 'template', 'iframe', 'svg'];
  const plain = convert(text.slice(0, maxMarkup), {
    wordwrap: false,
    limits: { maxDepth: 200 },
    selectors: [
      { selector: 'a', options: { ignoreHref: true } },
      ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6'].map((selector) => ({ selector, options: { uppercase: false } })),
      ...skipped.map((selector) => ({ selector, format: 'skip' })),
    ],
  });
  return plain.replace(/\s+/g, ' ').trim();
}

/** RFC 3339 and similar forms; the time and its zone are optional. */
const isoForm = /^(\d{4}-\d\d-\d\d)(?:[T ]+(\d\d:\d\d(?::\d\d(?:\.\d+)?)?) *(Z|[+-]\d\d:?\d\d)?)?$/i;

/** RFC 822, 5.1, with years of four digits; the time and its zone are optional. */
const mailForm = /^(?:[a-z]{3,9},? +)?(\d{1,2} +[a-z]{3,9} +\d{2,4})(?: +(\d\d?:\d\d(?::\d\d)?)(?: +([a-z]{1,5}|[+-]\d{4}))?)?$/i;

/** Returns a time in ISO 8601, UTC, which is also the default zone; a text that cannot be parsed is unchanged. */
export function isoTime(written: string): string {
  const [, date, time = '00:00', zone = 'Z'] = isoForm.exec(written) ?? [];
  const [, day, clock = '00:00', offset = 'GMT'] = mailForm.exec(written) ?? [];
  // Other forms are not tried: Date.parse finds a date in "Episode 5", and reads a time without a zone in the local one.
  const ms = Date.parse(date === undefined ? (day === undefined ? '' : `${day} ${clock} ${offset}`) : `${date}T${time}${colon(zone)}`);
  return Number.isNaN(ms) ? written : new Date(ms).toISOString();
}

function colon(zone: string): string {
  return zone.replace(/^([+-]\d\d)(\d\d)$/, '$1:$2').toUpperCase();
}
