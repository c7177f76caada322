import nodePath from 'node:path';
import { type ControlFiles, excerpt, messageOf, ToolkitError } from '../../../../kernel/index.ts';
import type { FunctionContext } from '../../../../plugins/executor-function/index.ts';
import type { Replacement } from '../../../../plugins/shared/text/line-ends.ts';
import { Unreadable, type UnreadableResult } from '../../../../plugins/shared/walks/unreadable.ts';
import { parseReplacement, type Replacement as ReplacementText } from '../../text/replacement.ts';
import type { LeftOutResult } from '../files/git-exclusions.ts';
import { stepProgress } from '../files/step-progress.ts';
import { fitLineEnds, formatText, isBinary, parseText, replaceInFile, type TextFile } from '../files/text-file.ts';
import { maxFileBytes, maxTextLength, readWhole } from '../files/whole-file.ts';
import { fileOrFolderAt, filesBelow } from '../searching/files-below.ts';
import { compilePattern } from '../searching/line-pattern.ts';
import type { FileChange } from './file-changes.ts';

export interface ReplaceRequest {
  readonly pattern: string;
  readonly replacement: string;
  readonly glob: string;
  readonly path: string;
  readonly regex: boolean;
}

export interface ReplacePlan extends LeftOutResult, UnreadableResult {
  readonly changes: readonly FileChange[];
  /** Changed files, sorted by path. Files without a match are omitted. */
  readonly files: readonly { readonly path: string; readonly replacements: number }[];
  readonly total: number;
  /** Text files that could not be read, and control files that would change. */
  readonly skipped?: readonly { readonly path: string; readonly reason: string }[];
}

const maxChangedFiles = 5000;
const maxChangedLength = 2 * maxFileBytes;
const maxSkippedShown = 100;

/** Plans the changes of replacing a pattern. Runs in a child process. Throws INVALID_PARAMETERS, NOT_FOUND and EXECUTION_FAILED. */
export async function planReplace(
  request: ReplaceRequest,
  { progress, controlFiles }: Pick<FunctionContext, 'progress' | 'controlFiles'>,
): Promise<ReplacePlan> {
  if (!request.replacement.isWellFormed()) throw wrongParameter('replacement', 'expected text, received half of a surrogate pair');
  // Validates the pattern even when no file is searched.
  compilePattern(request.pattern, request.regex, 'm');
  const { real, isFile } = fileOrFolderAt(request.path);
  const below = isFile
    ? { paths: [nodePath.basename(real)], leftOut: {}, unreadable: new Unreadable(nodePath.dirname(real)) }
    : await filesBelow(real, request.glob, { parameter: 'glob' });
  const names = below.paths;
  const folder = isFile ? nodePath.dirname(real) : real;
  const found = {
    changes: [] as FileChange[],
    files: [] as { path: string; replacements: number }[],
    skipped: [] as { path: string; reason: string }[],
  };
  const report = stepProgress(progress, { step: 1000, total: names.length, message: 'files searched' });
  let length = 0;
  for (const [index, name] of names.entries()) {
    const path = nodePath.join(folder, name);
    const replaced = replaceOrSkip({ path, name }, request, controlFiles);
    if ('error' in replaced) below.unreadable.add(path, replaced.error);
    else if ('reason' in replaced) found.skipped.push({ path: name, reason: replaced.reason });
    else if (replaced.replacements > 0) found.files.push({ path: name, replacements: replaced.replacements });
    if ('change' in replaced && replaced.change !== undefined) {
      found.changes.push(replaced.change);
      length += replaced.change.text?.length ?? 0;
    }
    if (found.files.length > maxChangedFiles || length > maxChangedLength) throw tooMuch();
    report(index + 1);
  }
  const { changes, files, skipped } = found;
  const total = files.reduce((sum, { replacements }) => sum + replacements, 0);
  return {
    changes,
    files,
    total,
    ...(skipped.length === 0 ? {} : { skipped: skipped.slice(0, maxSkippedShown) }),
    ...below.unreadable.result,
    ...below.leftOut,
  };
}

interface ReplaceTarget {
  readonly path: string;
  /** Path relative to the searched folder, for messages. */
  readonly name: string;
}

type ReplaceOutcome =
  | { readonly replacements: number; readonly change?: FileChange }
  | { readonly reason: string }
  | { readonly error: unknown };

function replaceOrSkip({ path, name }: ReplaceTarget, request: ReplaceRequest, controlFiles: ControlFiles): ReplaceOutcome {
  try {
    controlFiles.refuse(path, 'read');
    const replaced = replaceIn({ path, name }, request);
    // A control file may be read; it is refused only when the replacement would change it.
    if ('replacements' in replaced && replaced.replacements > 0) controlFiles.refuse(path, 'write');
    return replaced;
  } catch (error) {
    // An invalid request is invalid for every file.
    if (ToolkitError.is(error) && error.code === 'INVALID_PARAMETERS') throw error;
    // Errors of the file system skip the file.
    const { cause } = error as Error;
    return isSystemError(cause) ? { error: cause } : { reason: excerpt(messageOf(error)) };
  }
}

function replaceIn({ path, name }: ReplaceTarget, { pattern, replacement, regex }: ReplaceRequest): ReplaceOutcome {
  const { bytes, state } = readWhole(path);
  if (isBinary(bytes)) return { replacements: 0 };
  const file = parseText(bytes, name);
  const expression = compilePattern(regex ? pattern : fitLineEnds(pattern, file), regex, 'm');
  const fitting = fitLineEnds(replacement, file);
  const grows = regex ? growth(fitting, file.text) : () => fitting.length;
  let replacements = 0;
  let length = file.text.length;
  for (const [match] of file.text.matchAll(expression)) {
    replacements += 1;
    length += grows(match);
    if (length > maxTextLength) throw tooLong(path);
  }
  if (replacements === 0) return { replacements };
  const replaced =
    file.lineEnds === 'mixed'
      ? replaceInFile(file, replacementsIn(file, expression, regex ? parseReplacement(fitting, expression) : () => [fitting]))
      : { ...file, text: regex ? file.text.replace(expression, fitting) : file.text.replace(expression, () => fitting) };
  const { text } = replaced;
  if (!text.isWellFormed())
    throw wrongParameter('pattern', `it would cut a character of "${excerpt(path)}" in half. Match whole characters`);
  if (text === file.text) return { replacements };
  return { replacements, change: { path, text: formatText(replaced), previous: state, mode: null } };
}

function* replacementsIn({ text }: TextFile, expression: RegExp, textOf: ReplacementText): Generator<Replacement> {
  for (const match of text.matchAll(expression)) {
    yield { from: match.index, to: match.index + match[0].length, by: textOf(match).join('') };
  }
}

function isSystemError(error: unknown): boolean {
  return typeof (error as NodeJS.ErrnoException | undefined)?.errno === 'number';
}

/** Returns an upper bound of the characters that a replacement with `$1`, `$&` and the like adds for a match. */
function growth(replacement: string, text: string): (match: string) => number {
  const references = replacement.split('$').length - 1;
  const isAround = /\$[`']/.test(replacement);
  return (match) => replacement.length + references * (isAround ? text.length : match.length);
}

function wrongParameter(path: string, message: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "${path}": ${message}. Nothing was written.`, { issues: [{ path, message }] });
}

function tooLong(path: string): ToolkitError {
  return wrongParameter(
    'replacement',
    `"${excerpt(path)}" could grow to more than ${maxTextLength} characters. Replace less of it at once`,
  );
}

function tooMuch(): ToolkitError {
  const message = `More than ${maxChangedFiles} files or ${maxChangedLength} characters would change. Nothing was written. Narrow path or glob, and make several calls.`;
  return new ToolkitError('EXECUTION_FAILED', message);
}
