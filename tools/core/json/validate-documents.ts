import { messageOf, readJson, ToolkitError, textExcess } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { strictUtf8 } from '../../../plugins/shared/text/utf8.ts';
import type { UnreadableResult } from '../../../plugins/shared/walks/unreadable.ts';
import type { LeftOutResult } from '../fs/files/git-exclusions.ts';
import { readWhole } from '../fs/files/whole-file.ts';
import { listedFiles, refuseUnlessOne } from '../fs/searching/chosen-files.ts';
import { type ChosenFile, globbedFiles } from '../fs/searching/globbed-files.ts';
import { type Finding, type ValidationResult, validate } from './validate.ts';

type SchemaParameters = Omit<Parameters<typeof validate>[0], 'data'>;

interface DocumentsParameters extends SchemaParameters {
  readonly data?: Parameters<typeof validate>[0]['data'];
  readonly paths?: readonly string[];
  readonly glob?: string;
  readonly path?: string;
  /** The allowed folders. */
  readonly folders: readonly string[];
  readonly offset: number;
  readonly max_errors: number;
}

/** The same problem at the same path of one or several files. All indexes of a list count as one path. */
interface SharedFinding extends Omit<Finding, 'path'> {
  /** Number of occurrences in all files together. */
  readonly count: number;
  readonly files: readonly string[];
}

interface Page<T> {
  readonly valid: boolean;
  readonly errors: readonly T[];
  /** Number of all problems. Absent, like the members below, when `errors` holds all of them. */
  readonly total?: number;
  readonly truncated?: boolean;
  readonly next_offset?: number;
  /** True when there are more problems than `total`. */
  readonly more?: true;
}

interface DocumentsResult extends Page<SharedFinding>, LeftOutResult, UnreadableResult {
  readonly total: number;
  readonly truncated: boolean;
  readonly checked: number;
  readonly invalid: number;
}

/** Maximum number of files in a call. */
const maxFiles = 10_000;

/** Maximum number of problems to find in one value. */
const maxFindings = 10_000;

/** Maximum number of problems to find in one of several files. */
const maxFindingsOfFile = 1000;

/**
 * Checks one value, or the JSON files of a list or a pattern, against a JSON Schema, and returns one page of the problems. Runs in a child
 * process. Throws INVALID_PARAMETERS for the schema and the selection of files, NOT_FOUND and EXECUTION_FAILED for the folder.
 */
export async function validateDocuments(
  { data, paths, glob, path, folders, offset, max_errors, ...schema }: DocumentsParameters,
  context: Pick<FunctionContext, 'controlFiles'>,
): Promise<Page<Finding> | DocumentsResult> {
  refuseUnlessOne({ data, paths, glob }, ['data', 'paths', 'glob']);
  const page = { offset, max: max_errors };
  if (data !== undefined) {
    const { valid, errors, isWhole } = await validate({ data, ...schema }, maxFindings);
    const shown = pageOf(errors, page);
    const isAll = shown.errors.length === errors.length && isWhole;
    const counts = { total: errors.length, truncated: shown.next_offset !== undefined, ...moreUnless(isWhole) };
    return { valid, ...shown, ...(isAll ? {} : counts) };
  }
  const request = { path: path ?? folders[0] ?? '.', glob: glob ?? '', specialFiles: false, max: maxFiles };
  const { files, total, ...others } = paths === undefined ? await globbedFiles(request, context) : listedFiles(paths);
  if (total > files.length) throw tooMany(total);
  // Checks the schema first, so that an invalid one is reported once, and also when there are no files.
  await validate({ data: null, ...schema }, 1);
  const shared = new Map<string, SharedFinding & { files: string[] }>();
  let [problems, invalid, isAll] = [0, 0, true];
  for (const file of files) {
    const { valid, errors, isWhole } = await validateFile(file, schema, context);
    if (!valid) invalid += 1;
    problems += errors.length;
    isAll &&= isWhole;
    for (const error of errors) add(shared, error, file.name);
  }
  const groups = [...shared.values()].sort((a, b) => b.count - a.count);
  const shown = pageOf(groups, page);
  const counts = { total: problems, truncated: shown.next_offset !== undefined, ...moreUnless(isAll) };
  return { valid: invalid === 0, checked: files.length, invalid, ...shown, ...counts, ...others };
}

function moreUnless(isAll: boolean): { readonly more?: true } {
  return isAll ? {} : { more: true };
}

type PageItems<T> = Pick<Page<T>, 'errors' | 'next_offset'>;

function pageOf<T>(all: readonly T[], { offset, max }: { readonly offset: number; readonly max: number }): PageItems<T> {
  const errors = all.slice(offset, offset + max);
  const next = offset + errors.length;
  return { errors, ...(next < all.length ? { next_offset: next } : {}) };
}

async function validateFile(
  { path }: ChosenFile,
  schema: SchemaParameters,
  { controlFiles }: Pick<FunctionContext, 'controlFiles'>,
): Promise<ValidationResult> {
  const unreadable = (message: string): ValidationResult => ({ valid: false, isWhole: true, errors: [{ path: '', pointer: '', message }] });
  try {
    controlFiles.refuse(path, 'read');
    const { bytes } = readWhole(path);
    const excess = textExcess(bytes);
    if (excess !== undefined) return unreadable(`cannot be checked: it holds ${excess}`);
    const text = strictUtf8(bytes);
    if (text === undefined) return unreadable('is not valid UTF-8');
    return await validate({ data: readJson(text) as never, ...schema }, maxFindingsOfFile);
  } catch (error) {
    if (error instanceof SyntaxError) return unreadable('is no JSON');
    return unreadable(`cannot be read: ${messageOf(error)}`);
  }
}

/** Groups findings by pointer, with `*` for list indexes, and by message, without the value, which differs from file to file. */
function add(shared: Map<string, SharedFinding & { files: string[] }>, { pointer, message }: Finding, file: string): void {
  const pointerPattern = pointer.replace(/\/\d+(?=\/|$)/g, '/*');
  const expected = message.replace(/, received .*$/s, '');
  const key = JSON.stringify([pointerPattern, expected]);
  const known = shared.get(key);
  if (known === undefined) shared.set(key, { pointer: pointerPattern, message: expected, count: 1, files: [file] });
  else {
    if (known.files.at(-1) !== file) known.files.push(file);
    shared.set(key, { ...known, count: known.count + 1 });
  }
}

function tooMany(total: number): ToolkitError {
  const message = `${total} files match, expected at most ${maxFiles}`;
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "glob": ${message}. Narrow it, and make several calls.`, {
    issues: [{ path: 'glob', message }],
  });
}
