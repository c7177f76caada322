import type { Span } from './span.ts';

/** Finds phone numbers with + and a country code that are valid in that country. */
export async function phonesIn(text: string): Promise<readonly Span[]> {
  const { findPhoneNumbersInText } = await import('libphonenumber-js');
  return findPhoneNumbersInText(text).map(({ startsAt, endsAt }) => {
    // The library takes a number after a comma for an extension, which it is not in prose.
    const comma = text.slice(startsAt, endsAt).search(/[,;]\s/);
    return { start: startsAt, end: comma < 0 ? endsAt : startsAt + comma };
  });
}
