import { type FileHandle, stat } from 'node:fs/promises';
import nodePath from 'node:path';
import { excerpt, ToolkitError } from '../../../../kernel/index.ts';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import { strictUtf8 } from '../../../../plugins/shared/text/utf8.ts';
import { fileError } from '../files/file-error.ts';
import { openFile } from '../files/open-file.ts';
import { pageOf } from '../files/page-of.ts';
import { readFully } from '../files/read-fully.ts';
import { byteStep, entryStep, stepProgress } from '../files/step-progress.ts';
import { isBinary } from '../files/text-file.ts';
import { compareFolders, type FolderComparison } from './compare-folders.ts';
import { diffText, linesOf } from './diff-text.ts';
import { changedRuns } from './line-changes.ts';

interface CompareParameters {
  readonly left: string;
  readonly right: string;
  /** Number of unchanged lines around a change. */
  readonly context: number;
  readonly max_results: number;
  readonly offset: number;
}

interface FoldersResult extends FolderComparison {
  readonly method: 'folders';
  readonly truncated: boolean;
  readonly next_offset?: number;
}

interface CompareResult {
  readonly equal: boolean;
  readonly method: 'bytes' | 'lines';
  readonly diff: string;
  readonly added: number;
  readonly removed: number;
  readonly first_difference?: number;
}

const chunkBytes = 1_048_576;

/** Maximum size of a file that is compared line by line, in bytes. */
const maxTextBytes = 16 * 1024 * 1024;
const maxLines = 1_000_000;

const lineFeed = 10;

/** Maximum length of a diff, in characters. */
const maxDiffCharacters = 16 * 1024 * 1024;

/** Compares two files, or two folders with all their content. Throws NOT_FOUND, EXECUTION_FAILED and OUTPUT_TOO_LARGE. */
export async function compare(parameters: CompareParameters, context: FunctionContext): Promise<CompareResult | FoldersResult> {
  const { left, right } = parameters;
  const [isFolder, isOtherFolder] = [await isFolderAt(left), await isFolderAt(right)];
  if (isFolder !== isOtherFolder) throw unlike(left, right, isFolder);
  return isFolder ? foldersResult(parameters, context) : compareFiles(parameters, context);
}

async function isFolderAt(path: string): Promise<boolean> {
  try {
    return (await stat(path)).isDirectory();
  } catch (error) {
    throw fileError(error, 'read', path);
  }
}

function unlike(left: string, right: string, isFolder: boolean): ToolkitError {
  const [folder, file] = isFolder ? [left, right] : [right, left];
  const message = `Cannot compare "${excerpt(left)}" with "${excerpt(right)}": expected two files or two folders, but "${excerpt(nodePath.basename(folder))}" is a folder and "${excerpt(nodePath.basename(file))}" is none. Name the file in the folder.`;
  return new ToolkitError('EXECUTION_FAILED', message, { file: folder });
}

function foldersResult(
  { left, right, max_results: maxResults, offset }: CompareParameters,
  { controlFiles, progress, output }: FunctionContext,
): FoldersResult {
  try {
    const onProgress = stepProgress(progress, { step: entryStep, message: 'entries compared' });
    const { differences: all, ...compared } = compareFolders(left, right, { controlFiles, onProgress });
    const around = { method: 'folders' as const, ...compared };
    const { shown, end } = pageOf(all, { offset, maxResults, budget: output.budget, around });
    return { ...around, differences: shown, ...end };
  } catch (error) {
    throw fileError(error, 'list', (error as NodeJS.ErrnoException).path ?? left);
  }
}

/** Compares by bytes, then, when both files are UTF-8 text and not too large, by lines. */
async function compareFiles({ left, right, context }: CompareParameters, { progress }: FunctionContext): Promise<CompareResult> {
  const first = await openFile(left);
  try {
    const second = await openFile(right);
    try {
      const names = { left: nodePath.basename(left), right: nodePath.basename(right) };
      const total = Math.min(first.stats.size, second.stats.size);
      const report = stepProgress(progress, { step: byteStep, total, message: 'bytes compared' });
      return await compareOpened(first, second, { names, context, report });
    } catch (error) {
      throw fileError(error, 'read', right);
    } finally {
      await second.file.close();
    }
  } finally {
    await first.file.close();
  }
}

type Opened = Awaited<ReturnType<typeof openFile>>;

interface CompareOptions {
  readonly names: { readonly left: string; readonly right: string };
  readonly context: number;
  readonly report: (done: number) => void;
}

async function compareOpened(left: Opened, right: Opened, { names, context, report }: CompareOptions): Promise<CompareResult> {
  const difference = await firstDifference(left.file, right.file, report);
  if (difference === undefined) return { equal: true, method: 'bytes', diff: '', added: 0, removed: 0 };
  const texts = [await readComparableText(left), await readComparableText(right)] as const;
  if (texts[0] === undefined || texts[1] === undefined) {
    return { equal: false, method: 'bytes', diff: '', added: 0, removed: 0, first_difference: difference };
  }
  const changes = await lineDiff(texts[0], texts[1], names, context);
  return { equal: false, method: 'lines', ...changes, first_difference: difference };
}

/** Returns the offset of the first byte that differs, or the length of the shorter file; undefined for equal files. */
async function firstDifference(left: FileHandle, right: FileHandle, report: (done: number) => void): Promise<number | undefined> {
  const buffers = [Buffer.allocUnsafe(chunkBytes), Buffer.allocUnsafe(chunkBytes)] as const;
  for (let position = 0; ; position += chunkBytes) {
    const [one, other] = [await readFully(left, position, buffers[0]), await readFully(right, position, buffers[1])];
    if (!one.equals(other)) return position + offsetOf(one, other);
    if (one.length < chunkBytes) return undefined;
    report(position + chunkBytes);
  }
}

function offsetOf(one: Buffer, other: Buffer): number {
  const length = Math.min(one.length, other.length);
  for (let offset = 0; offset < length; offset++) if (one[offset] !== other[offset]) return offset;
  return length;
}

/** Returns the text of a file; undefined for a binary file, for one that is not UTF-8 and for one that is too large. */
async function readComparableText({ file, stats }: Opened): Promise<string | undefined> {
  if (stats.size > maxTextBytes) return undefined;
  const bytes = await readFully(file, 0, Buffer.allocUnsafe(stats.size));
  if (isBinary(bytes) || countOf(bytes, lineFeed) > maxLines) return undefined;
  // Keeps the byte order mark: a diff shows every difference.
  return strictUtf8(bytes, { keepsMark: true });
}

function countOf(bytes: Buffer, byte: number): number {
  let count = 0;
  for (let at = bytes.indexOf(byte); at !== -1; at = bytes.indexOf(byte, at + 1)) count += 1;
  return count;
}

async function lineDiff(
  left: string,
  right: string,
  names: { readonly left: string; readonly right: string },
  context: number,
): Promise<Pick<CompareResult, 'diff' | 'added' | 'removed'>> {
  const [leftLines, rightLines] = [linesOf(left), linesOf(right)];
  const runs = await changedRuns(leftLines, rightLines);
  const sum = (key: 'added' | 'removed'): number => runs.reduce((total, run) => total + run[key], 0);
  const { text, isCut } = diffText(leftLines, rightLines, runs, { names, context, maxCharacters: maxDiffCharacters });
  if (isCut) throw tooLarge(sum('added'), sum('removed'));
  return { diff: text, added: sum('added'), removed: sum('removed') };
}

function tooLarge(added: number, removed: number): ToolkitError {
  return new ToolkitError(
    'OUTPUT_TOO_LARGE',
    `The files differ in ${added} added and ${removed} removed lines; the diff would be over ${maxDiffCharacters} characters. Lower context, or compare parts of them.`,
    { maxCharacters: maxDiffCharacters, added, removed },
  );
}
