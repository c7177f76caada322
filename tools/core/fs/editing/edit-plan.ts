import nodePath from 'node:path';
import { ToolkitError } from '../../../../kernel/index.ts';
import { putLineEnds } from '../../../../plugins/shared/text/line-ends.ts';
import { fitLineEnds, formatText, parseText, replaceInFile, type TextFile } from '../files/text-file.ts';
import { maxTextLength, readWhole } from '../files/whole-file.ts';
import type { FileChange } from './file-changes.ts';
import { nearMiss } from './near-miss.ts';
import { type ShownDiff, unifiedDiff } from './unified-diff.ts';

export interface Edit {
  readonly old_text: string;
  readonly new_text: string;
  readonly replace_all?: boolean;
}

export interface EditPlan extends ShownDiff {
  /** At most one change. */
  readonly changes: readonly FileChange[];
  readonly replacements: number;
}

/**
 * Plans edits, each on the result of the edit before it. Runs in a child process. Throws INVALID_PARAMETERS, NOT_FOUND and
 * EXECUTION_FAILED.
 */
export async function planEdits({ path, edits }: { readonly path: string; readonly edits: readonly Edit[] }): Promise<EditPlan> {
  const { bytes, state } = readWhole(path);
  const original = parseText(bytes, path);
  let file = original;
  let replacements = 0;
  for (const [index, edit] of edits.entries()) {
    const oldText = fitLineEnds(edit.old_text, file);
    const newText = fitLineEnds(edit.new_text, file);
    if (oldText === newText) throw badEdit(index, 'expected a text that differs from new_text, received the same twice');
    if (!(oldText + newText).isWellFormed()) throw badEdit(index, 'expected texts, received half of a surrogate pair in one of them');
    const isAll = edit.replace_all === true;
    const { text } = file;
    const indexes = indexesOf(oldText, text, isAll ? oldText.length : 1);
    if (indexes.length === 0)
      throw badEdit(index, `expected a text of the file, received one that is not in it${nearMiss(oldText, text, original.text)}`);
    if (indexes.length > 1 && !isAll) throw badEdit(index, ambiguous(indexes, text));
    if (text.length + indexes.length * (newText.length - oldText.length) > maxTextLength) {
      throw badEdit(
        index,
        `expected a file of at most ${maxTextLength} characters, and with ${indexes.length} replacements it would be longer`,
      );
    }
    file = replaceInFile(
      file,
      indexes.map((from) => ({ from, to: from + oldText.length, by: newText })),
    );
    replacements += indexes.length;
  }
  const shown = await unifiedDiff(nodePath.basename(path), shownText(original), shownText(file));
  const changes = file.text === original.text ? [] : [{ path, text: formatText(file), previous: state, mode: null }];
  return { changes, replacements, ...shown };
}

/** Returns the text for the diff. Keeps CR where the file mixes CR LF and LF. */
function shownText(file: TextFile): string {
  return file.lineEnds === 'mixed' ? putLineEnds(file) : file.text;
}

/** Returns the indexes at which a part begins in a text. `step`: distance from one occurrence to the earliest start of the next. */
function indexesOf(part: string, text: string, step: number): number[] {
  const indexes: number[] = [];
  for (let at = text.indexOf(part); at !== -1; at = text.indexOf(part, at + step)) indexes.push(at);
  return indexes;
}

function ambiguous(places: readonly number[], text: string): string {
  const lines = places.slice(0, 10).map((at) => text.slice(0, at).split('\n').length);
  return `expected a text that is in the file once, found it ${places.length} times (lines ${lines.join(', ')}${places.length > 10 ? ', …' : ''}). Add text around it, or set replace_all`;
}

function badEdit(index: number, message: string): ToolkitError {
  const path = `edits[${index}].old_text`;
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "${path}": ${message}. Nothing was written.`, { issues: [{ path, message }] });
}
