import type { StructuredPatchHunk } from 'diff';
import { excerpt } from '../../../../kernel/index.ts';
import { applyLineChanges } from '../../../../plugins/shared/text/apply-line-changes.ts';
import { splitLineEnds } from '../../../../plugins/shared/text/line-ends.ts';
import { headerOf, patchRefusal } from './file-patch.ts';

/**
 * Applies hunks to a text: each at its stated line, or at the nearest one where all its lines match exactly. Line ends of the
 * patch are changed to those of the text when the text has one kind. When the text has both kinds and the patch does not fit
 * unchanged, each hunk takes the line ends of its lines. Throws INVALID_PARAMETERS that names the hunk that does not fit.
 */
export async function applyHunks(text: string, hunks: readonly StructuredPatchHunk[], name: string): Promise<string> {
  const { applyPatch } = await import('diff');
  if (text.startsWith(byteOrderMark) && !hunks.some(({ lines }) => lines.some((line) => line[1] === byteOrderMark))) {
    const rest = await applyHunks(text.slice(1), hunks, name);
    return rest === '' ? '' : `${byteOrderMark}${rest}`;
  }
  const apply = (count: number): string | false => {
    const some = hunks.slice(0, count);
    const result = applyPatch(text, { ...noNames, hunks: some }, { fuzzFactor: 0 });
    // The library would append a hunk without context that starts after the end of the text, behind empty lines.
    const expected = countLines(text) + some.reduce((sum, { oldLines, newLines }) => sum + newLines - oldLines, 0);
    return result !== false && countLines(result) === expected ? result : false;
  };
  const whole = apply(hunks.length);
  if (whole !== false) return whole;
  const mixed = await applyHunksToMixedLineEnds(text, hunks);
  if (mixed !== undefined) return mixed;
  // Finds by bisection the smallest number of hunks that cannot be applied together.
  let [fitting, failing] = [0, hunks.length];
  while (failing - fitting > 1) {
    const middle = Math.floor((fitting + failing) / 2);
    if (apply(middle) === false) failing = middle;
    else fitting = middle;
  }
  throw misfit(text, hunks, failing, name);
}

/** Applies hunks to a text that mixes CR LF and LF, ignoring line ends. Returns undefined when they do not fit either. */
async function applyHunksToMixedLineEnds(text: string, hunks: readonly StructuredPatchHunk[]): Promise<string | undefined> {
  const lined = splitLineEnds(text);
  if (!lined.ends.includes('\r\n') || !lined.ends.includes('\n')) return undefined;
  const withoutEnds = hunks.map((hunk) => ({ ...hunk, lines: hunk.lines.map(bare) }));
  const patched = await applyHunks(lined.text, withoutEnds, '').catch(() => undefined);
  return patched === undefined ? undefined : await applyLineChanges(lined, patched);
}

/** Byte order mark. A patch may omit it. */
const byteOrderMark = '\uFEFF';

const noNames = { oldFileName: undefined, newFileName: undefined, oldHeader: undefined, newHeader: undefined };

function countLines(text: string): number {
  let count = 0;
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1;
  return text === '' || text.endsWith('\n') ? count : count + 1;
}

function misfit(text: string, hunks: readonly StructuredPatchHunk[], number: number, name: string): Error {
  const hunk = hunks[number - 1];
  const where = `hunk ${number} of ${hunks.length} (${headerOf(hunk)}) of "${excerpt(name)}" does not fit the file`;
  return patchRefusal(`${where}: ${difference(text.split('\n'), hunk)}. Read the place with fs_read_lines and make the patch anew`);
}

function difference(lines: readonly string[], hunk: StructuredPatchHunk | undefined): string {
  if (hunk === undefined) return 'there is none';
  const old = hunk.lines.filter((line) => !/^[+\\]/.test(line)).map((line) => bare(line.slice(1)));
  const index = old.findIndex((line, at) => line !== bare(lines[hunk.oldStart - 1 + at] ?? ''));
  if (hunk.oldStart - 1 + old.length > lines.length)
    return `it wants lines up to ${hunk.oldStart - 1 + old.length}, and the file has ${lines.length}`;
  if (index === -1) return 'its lines are there, but the line end at the end of the file or a hunk before it is in the way';
  const line = hunk.oldStart + index;
  return `expected line ${line} to be "${excerpt(old[index] ?? '', 100)}", found "${excerpt(lines[line - 1] ?? '', 100)}"`;
}

function bare(line: string): string {
  return line.replace(/\r$/, '');
}
