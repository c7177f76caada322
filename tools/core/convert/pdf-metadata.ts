/** Maximum length of a text in the metadata, in characters. */
const maxCharacters = 1000;

const texts = {
  title: 'Title',
  author: 'Author',
  subject: 'Subject',
  keywords: 'Keywords',
  creator: 'Creator',
  producer: 'Producer',
} as const;
const dates = { created_at: 'CreationDate', modified_at: 'ModDate' } as const;

export type PdfMetadata = { readonly [name in keyof typeof texts | keyof typeof dates]?: string };

/** Returns the metadata of a document (ISO 32000-1, 14.3.3). Absent entries are left out. */
export function metadataOf(info: Readonly<Record<string, unknown>>): PdfMetadata {
  const members = [
    ...Object.entries(texts).map(([name, key]) => [name, trimmedText(info[key])] as const),
    ...Object.entries(dates).map(([name, key]) => [name, dateOf(info[key])] as const),
  ];
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function trimmedText(value: unknown): string | undefined {
  return typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, maxCharacters) : undefined;
}

/**
 * Converts `D:20240229120000+02'00'` (ISO 32000-1, 7.9.4) to 2024-02-29T12:00:00+02:00, without an offset where there is none. Undefined for
 * anything that is no date.
 */
function dateOf(value: unknown): string | undefined {
  const form = /^D:(\d{4})(\d\d)?(\d\d)?(\d\d)?(\d\d)?(\d\d)?(?:(Z)|([+-]\d\d)'?(\d\d)?'?)?/;
  const found = typeof value === 'string' ? form.exec(value) : null;
  if (found === null) return undefined;
  const [, year, month = '01', day = '01', hour = '00', minute = '00', second = '00', zulu = '', offsetHour, offsetMinute = '00'] = found;
  const offset = offsetHour === undefined ? zulu : `${offsetHour}:${offsetMinute}`;
  const date = `${year}-${month}-${day}T${hour}:${minute}:${second}${offset}`;
  return Number.isNaN(Date.parse(date)) ? undefined : date;
}
