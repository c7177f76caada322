import { isLarge, isPlainObject, type JsonValue, LongWork, type MaybePromise } from '../../kernel/index.ts';
import { compactJson } from '../shared/text/compact-json.ts';
import type { Section } from './pages.ts';

interface Missing extends Omit<Section, 'text'> {
  /** The whole text. Without it, `lines` has the values. */
  readonly text?: string;
  readonly lines?: readonly { readonly before: string; readonly value: unknown }[];
}

/**
 * Returns the parts of a value that its cut copy lacks, in order: each cut text as a whole, missing items of a list, missing
 * members of an object. The cut copy must not differ in any other way. Asynchronous only for a large value.
 */
export function findMissing(whole: unknown, cut: unknown): MaybePromise<readonly Section[]> {
  const missing: Missing[] = [];
  collect(whole, cut, '', missing);
  return isLarge(whole)
    ? writeSections(missing)
    : missing.map((one) => ({ ...withoutContent(one), text: one.text ?? linesOf(one).map(formatLine).join('\n') }));
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

function withoutContent({ at, kind, shown }: Missing): Omit<Section, 'text'> {
  return { at, kind, shown };
}

function linesOf({ lines = [] }: Missing): NonNullable<Missing['lines']> {
  return lines;
}

function formatLine({ before, value }: { readonly before: string; readonly value: unknown }): string {
  return `${before}${JSON.stringify(value)}`;
}

async function writeSections(missing: readonly Missing[]): Promise<readonly Section[]> {
  const work = new LongWork();
  const sections: Section[] = [];
  for (const one of missing) {
    const lines: string[] = [];
    for (const entry of linesOf(one)) {
      if (work.isDue) await work.yieldToEventLoop();
      lines.push(isLarge(entry.value) ? `${entry.before}${await compactJson(entry.value as JsonValue)}` : formatLine(entry));
    }
    sections.push({ ...withoutContent(one), text: one.text ?? lines.join('\n') });
  }
  return sections;
}
