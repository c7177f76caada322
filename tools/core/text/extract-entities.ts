import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { datesIn } from './dates.ts';
import { emailsIn, urlsIn } from './links.ts';
import { numbersIn } from './numbers.ts';
import { OutputSize } from './output-size.ts';
import { hashtagsIn, ipsIn, mentionsIn, uuidsIn } from './patterns.ts';
import { phonesIn } from './phones.ts';
import type { Span } from './span.ts';

/** Finders by the kind of entity. */
const finders = {
  email: emailsIn,
  url: urlsIn,
  ip: ipsIn,
  phone: phonesIn,
  date: datesIn,
  number: plainNumbersIn,
  hashtag: hashtagsIn,
  mention: mentionsIn,
  uuid: uuidsIn,
} as const;

type Kind = keyof typeof finders;

interface EntitiesParameters {
  readonly text: string;
  readonly kinds: readonly Kind[];
}

interface Entity {
  readonly kind: Kind;
  readonly value: string;
  /** Start in UTF-16 code units, from 0. */
  readonly index: number;
}

/** Finds the entities of each kind, in the order of the text. Entities of different kinds may overlap. Throws OUTPUT_TOO_LARGE. */
export async function extractEntities(
  { text, kinds }: EntitiesParameters,
  { progress }: FunctionContext,
): Promise<{ entities: readonly Entity[] }> {
  const size = new OutputSize('Give a part of the text, or fewer kinds.');
  const entities: Entity[] = [];
  for (const [index, kind] of kinds.entries()) {
    for (const { start, end } of await finders[kind](text)) {
      // 60 characters for the kind, the index and the names of the members in JSON.
      size.add(end - start + 60);
      entities.push({ kind, value: text.slice(start, end), index: start });
    }
    progress({ progress: index + 1, total: kinds.length, message: kind });
  }
  return { entities: entities.sort((left, right) => left.index - right.index || right.value.length - left.value.length) };
}

/** Finds numbers that are not part of another entity. */
async function plainNumbersIn(text: string): Promise<readonly Span[]> {
  const others = [datesIn, emailsIn, ipsIn, phonesIn, urlsIn, uuidsIn];
  const otherSpans = (await Promise.all(others.map((find) => find(text)))).flat().sort((left, right) => left.start - right.start);
  let next = 0;
  let takenUntil = 0;
  return numbersIn(text).filter(({ start, end }) => {
    for (; (otherSpans[next]?.start ?? end) < end; next++) takenUntil = Math.max(takenUntil, otherSpans[next]?.end ?? 0);
    return start >= takenUntil;
  });
}
