import { isLarge, isPlainObject, type JsonValue, LongWork, type Maybe } from '../../kernel/index.ts';
import { compactJson } from '../shared/text/compact-json.ts';
import type { Section } from './pages.ts';

interface Missing extends Omit<Section, 'text'> {
  /** The text, or the values of the lines. */
  readonly text?: string;
  readonly lines?: readonly { readonly before: string; readonly value: unknown }[];
}

/**
 * Returns what of a value a cut one does not show, in its order: each text that was cut, whole; the items that a list lacks; the members that an
 * object lacks. Nothing else differs. Waits only for what is large.
 */
export function restOf(whole: unknown, cut: unknown): Maybe<readonly Section[]> {
  const missing: Missing[] = [];
  collect(whole, cut, '', missing);
  return isLarge(whole)
    ? writtenInSlices(missing)
    : missing.map((one) => ({ ...placeOf(one), text: one.text ?? linesOf(one).map(line).join('\n') }));
}

function collect(whole: unknown, cut: unknown, at: string, missing: Missing[]): void {
  if (whole === cut) return;
  if (typeof whole === 'string' && typeof cut === 'string') {
    missing.push({ at, kind: 'text', text: whole, shown: cut.length });
  } else if (Array.isArray(whole) && Array.isArray(cut)) {
    for (const [index, item] of cut.entries()) collect(whole[index], item, `${at}/${index}`, missing);
    const lines = whole.slice(cut.length).map((value: unknown) => ({ before: '', value }));
    if (lines.length > 0) missing.push({ at, kind: 'items', lines, shown: cut.length });
  } else if (isPlainObject(whole) && isPlainObject(cut)) {
    const lines: { before: string; value: unknown }[] = [];
    for (const name of Object.keys(whole)) {
      if (Object.hasOwn(cut, name)) collect(whole[name], cut[name], `${at}/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, missing);
      else lines.push({ before: `${JSON.stringify(name)}: `, value: whole[name] });
    }
    if (lines.length > 0) missing.push({ at, kind: 'members', lines, shown: 0 });
  }
}

function placeOf({ at, kind, shown }: Missing): Omit<Section, 'text'> {
  return { at, kind, shown };
}

function linesOf({ lines = [] }: Missing): NonNullable<Missing['lines']> {
  return lines;
}

function line({ before, value }: { readonly before: string; readonly value: unknown }): string {
  return `${before}${JSON.stringify(value)}`;
}

async function writtenInSlices(missing: readonly Missing[]): Promise<readonly Section[]> {
  const work = new LongWork();
  const sections: Section[] = [];
  for (const one of missing) {
    const lines: string[] = [];
    for (const given of linesOf(one)) {
      if (work.isDue) await work.yieldToEventLoop();
      lines.push(isLarge(given.value) ? `${given.before}${await compactJson(given.value as JsonValue)}` : line(given));
    }
    sections.push({ ...placeOf(one), text: one.text ?? lines.join('\n') });
  }
  return sections;
}
