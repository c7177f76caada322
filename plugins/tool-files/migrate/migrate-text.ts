import type { Document, Pair } from 'yaml';
import { pointerSegments } from '../../../kernel/index.ts';
import type { Change } from '../../shared/definition-files/earlier-form/change.ts';
import { applyLineChanges } from '../../shared/text/apply-line-changes.ts';
import { splitLineEnds } from '../../shared/text/line-ends.ts';

/**
 * Applies the changes to a YAML text. Keeps its comments, order of keys, byte order mark and line ends. A target that already exists stays
 * unchanged, and its old key is removed.
 */
export async function migrateText(original: string, changes: readonly Change[]): Promise<string> {
  const mark = original.startsWith(byteOrderMark) ? byteOrderMark : '';
  const lined = splitLineEnds(original.slice(mark.length));
  return mark + (await applyLineChanges(lined, await changedText(lined.text, changes)));
}

const byteOrderMark = '\uFEFF';

async function changedText(text: string, changes: readonly Change[]): Promise<string> {
  const { isMap, isScalar, parseDocument } = await import('yaml');
  const document = parseDocument(text);
  const pairAt = (segments: readonly string[]): Pair | undefined => {
    const map = segments.length === 1 ? document.contents : document.getIn(segments.slice(0, -1));
    return isMap(map) ? map.items.find(({ key }) => isScalar(key) && String(key.value) === segments.at(-1)) : undefined;
  };
  for (const { from, to, value } of changes) {
    const [source, target] = [pointerSegments(from), to === undefined ? undefined : pointerSegments(to)];
    const pair = pairAt(source);
    if (target !== undefined && (from === to || !document.hasIn(target))) {
      if (pair !== undefined && isScalar(pair.key) && target.slice(0, -1).join('/') === source.slice(0, -1).join('/')) {
        // A key in the same map is renamed in its position, so that the comments around it stay.
        pair.key.value = target.at(-1);
        if (isScalar(pair.value) && typeof value !== 'object' && value !== undefined) pair.value.value = value;
        else if (value !== undefined) pair.value = document.createNode(value);
        continue;
      }
      setIn(document, target, value === undefined ? pair?.value : document.createNode(value));
    }
    document.deleteIn(source);
  }
  return restoreSpacing(text, document.toString({ lineWidth: 0, indent: indentOf(text) }));
}

/** Sets a value and creates the missing maps on the way, in block style. */
function setIn(document: Document, target: readonly string[], node: unknown): void {
  for (let depth = 1; depth < target.length; depth += 1) {
    const parents = target.slice(0, depth);
    if (!document.hasIn(parents)) document.setIn(parents, document.createNode({}, { flow: false }));
  }
  document.setIn(target, node);
}

/** Returns the number of spaces per level of indentation. @default 2 */
function indentOf(text: string): number {
  return /^( +)[^\s#-]/m.exec(text)?.[1]?.length ?? 2;
}

/** Returns `after`, with the original spacing in all lines that differ in spaces only. */
async function restoreSpacing(before: string, after: string): Promise<string> {
  const { diffArrays } = await import('diff');
  const bare = (line: string): string => line.replace(/(?<=[[{]) +| +(?=[\]}])/g, '').replace(/(?<=\S) +/g, ' ');
  const old = before.split('\n');
  let passed = 0;
  return diffArrays(old, after.split('\n'), { comparator: (a, b) => bare(a) === bare(b) })
    .flatMap(({ value, added, removed }) => {
      if (added) return value;
      passed += value.length;
      return removed ? [] : old.slice(passed - value.length, passed);
    })
    .join('\n');
}
