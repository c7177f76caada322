import type { Span } from './span.ts';

/** Phone numbers that begin with + and the code of their country, where the country has such numbers. */
export async function phonesIn(text: string): Promise<readonly Span[]> {
  const { findPhoneNumbersInText } = await import('libphonenumber-js');
  return findPhoneNumbersInText(text).map(({ startsAt, endsAt }) => {
    // The library takes a number behind a comma for an extension, which in prose it is not.
    const comma = text.slice(startsAt, endsAt).search(/[,;]\s/);
    return { start: startsAt, end: comma < 0 ? endsAt : startsAt + comma };
  });
}
