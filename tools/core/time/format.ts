import { excerpt } from '../../../kernel/index.ts';
import { zoneNote } from '../../../plugins/shared/time-zones/named-zone.ts';
import { invalidParameter } from './invalid-parameter.ts';
import { notes, readMoment } from './moment.ts';
import { checkTokens } from './tokens.ts';
import { zoneOf } from './zone.ts';

interface FormatParameters {
  readonly time: string;
  readonly format: string;
  readonly timezone?: string;
  readonly locale: string;
}

interface FormatResult {
  readonly text: string;
  readonly note?: string;
}

/** Formats a time. Throws INVALID_PARAMETERS. */
export async function formatTime({ time: timeText, format, timezone, locale }: FormatParameters): Promise<FormatResult> {
  checkTokens(format, 'write');
  checkLocale(locale);
  const { time, note } = await readMoment(timeText, 'time', timezone === undefined ? undefined : await zoneOf(timezone));
  return { text: time.setLocale(locale).toFormat(format), ...notes(note, zoneNote(time.zone)) };
}

/** Refuses unsupported locales: Intl would silently use another one. */
function checkLocale(locale: string): void {
  if (isSupported(locale)) return;
  const message = `expected a language tag (BCP 47) such as en-GB, de or ja-JP, received "${excerpt(locale, 60)}"`;
  throw invalidParameter('locale', message, 'This server has no such language.');
}

function isSupported(locale: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf([locale]).length > 0;
  } catch {
    return false;
  }
}
