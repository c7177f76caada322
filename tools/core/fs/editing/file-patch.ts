import type { StructuredPatch, StructuredPatchHunk } from 'diff';
import { excerpt, messageOf, ToolkitError } from '../../../../kernel/index.ts';

/** Changes of one file in a patch. Names stand as in the patch, without the prefixes a/ and b/. */
export interface FilePatch {
  readonly kind: 'create' | 'modify' | 'delete' | 'rename' | 'copy';
  /** Old name; not used for `create`. */
  readonly from: string;
  /** New name; not used for `delete`. */
  readonly to: string;
  readonly hunks: readonly StructuredPatchHunk[];
  /** Permissions of the new file; null when the patch does not set them. */
  readonly mode: number | null;
}

/** Parses a unified diff of one or more files, as diff -u and git write it. Throws INVALID_PARAMETERS. */
export async function parseFilePatches(patch: string): Promise<FilePatch[]> {
  const { parsePatch } = await import('diff');
  if (!patch.isWellFormed()) throw patchRefusal('expected text, received half of a surrogate pair');
  const binary = /^(GIT binary patch|Binary files .* differ)\r?$/m.exec(patch);
  if (binary !== null) {
    throw patchRefusal(
      `expected changes of text files, received "${excerpt(binary[0])}"${placeOf(patch, binary.index)}. Take binary files out of the patch`,
    );
  }
  try {
    const text = withoutSignature(patch);
    const found = parsePatch(text).filter(
      ({ hunks, oldFileName, newFileName }) => hunks.length > 0 || (oldFileName ?? newFileName) !== undefined,
    );
    if (found.length === 0)
      throw patchRefusal('expected a unified diff with lines --- and +++ for each file and @@ for each hunk, found none of them');
    refuseSkippedHunks(text, found);
    return found.map(filePatch);
  } catch (error) {
    if (ToolkitError.is(error)) throw error;
    const line = Number(/at line (\d+)/.exec(messageOf(error))?.[1] ?? Number.NaN);
    const where = Number.isNaN(line) ? '' : placeOf(patch, indexOfLine(patch, line));
    throw patchRefusal(
      `expected a unified diff: ${excerpt(messageOf(error))}${where}. The numbers of an @@ line must count the lines below it, and lines that stay must begin with a space`,
    );
  }
}

/** Refuses a patch with a hunk that the parser would skip: it skips text between hunks, and so also a hunk with a wrong header. */
function refuseSkippedHunks(patch: string, found: readonly StructuredPatch[]): void {
  const headers = [...patch.matchAll(/^@@.*/gm)];
  if (headers.length === found.reduce((sum, { hunks }) => sum + hunks.length, 0)) return;
  const wrong = headers.find(([header]) => !/^@@ -\d+(,\d+)? \+\d+(,\d+)? @@/.test(header)) ?? headers[0];
  if (wrong === undefined) return;
  throw patchRefusal(`expected a hunk header like "@@ -1,3 +1,4 @@", received "${excerpt(wrong[0], 60)}"${placeOf(patch, wrong.index)}`);
}

export function patchRefusal(message: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `Parameter "patch": ${message}. Nothing was written.`, {
    issues: [{ path: 'patch', message }],
  });
}

function filePatch({ oldFileName, newFileName, hunks, ...facts }: StructuredPatch): FilePatch {
  // A patch with CR LF line ends has them in its header lines too.
  const [from, to] = withoutPrefixes((oldFileName ?? '').replace(/\r$/, ''), (newFileName ?? '').replace(/\r$/, ''), facts.isGit === true);
  const shown = to === nothing ? from : to;
  if (from === '' || to === '')
    throw patchRefusal(`expected a line --- and a line +++ with the name of the file above "${headerOf(hunks[0])}"`);
  const bad = hunks.find(({ oldStart, newStart }) => !Number.isInteger(oldStart) || !Number.isInteger(newStart));
  if (bad !== undefined) throw patchRefusal(`expected line numbers as in "@@ -1,3 +1,4 @@" for every hunk of "${excerpt(shown)}"`);
  const kind = kindOf(from, to, facts);
  if (kind === 'modify' && from !== to) {
    throw patchRefusal(
      `expected the same name after --- and +++, received "${excerpt(from)}" and "${excerpt(to)}". A rename needs the lines "rename from" and "rename to" of git`,
    );
  }
  const mode = modeOf(shown, facts);
  if (kind === 'modify' && hunks.length === 0 && mode === null)
    throw patchRefusal(`expected changes of "${excerpt(shown)}", found no hunk (@@)`);
  return { kind, from, to, hunks, mode };
}

const nothing = '/dev/null';

function kindOf(from: string, to: string, { isCreate, isDelete, isRename, isCopy }: Partial<StructuredPatch>): FilePatch['kind'] {
  if (from === nothing && to === nothing) throw patchRefusal(`expected the name of a file after --- or +++, received ${nothing} twice`);
  if (from === nothing || isCreate === true) return 'create';
  if (to === nothing || isDelete === true) return 'delete';
  if (isRename === true) return 'rename';
  return isCopy === true ? 'copy' : 'modify';
}

/**
 * Removes the prefixes of both names. git writes a/ and b/, or, with diff.mnemonicPrefix, i/, w/, c/ and o/ for the origin of a
 * side; diff -r writes the two folders that it compares.
 */
function withoutPrefixes(from: string, to: string, isGit: boolean): [string, string] {
  const isUsual = isSide(from, 'a') && isSide(to, 'b');
  const isMnemonic = isGit && isSide(from, 'iwco') && isSide(to, 'iwco') && from[0] !== to[0];
  const areFolders = from !== to && from.includes('/') && afterFirst(from) === afterFirst(to);
  if (!isUsual && !isMnemonic && !areFolders) return [from, to];
  return [afterFirst(from), afterFirst(to)];
}

function afterFirst(name: string): string {
  return name === nothing ? name : name.slice(name.indexOf('/') + 1);
}

function isSide(name: string, letters: string): boolean {
  return name === nothing || (letters.includes(name[0] ?? '-') && name[1] === '/' && name.length > 2);
}

function modeOf(name: string, { oldMode, newMode }: Partial<StructuredPatch>): number | null {
  for (const mode of [oldMode, newMode]) {
    if (mode === '120000') throw patchRefusal(`expected changes of files, received one of a symbolic link ("${excerpt(name)}")`);
    if (mode !== undefined && !/^100(644|755)$/.test(mode))
      throw patchRefusal(`expected mode 100644 or 100755 for "${excerpt(name)}", received ${mode}`);
  }
  return newMode === undefined ? null : Number.parseInt(newMode.slice(-3), 8);
}

/** Returns the header of a hunk as a patch has it: `@@ -1,2 +1,3 @@`. */
export function headerOf(hunk: StructuredPatchHunk | undefined): string {
  if (hunk === undefined) return '@@';
  const { oldStart, oldLines, newStart, newLines } = hunk;
  return `@@ -${oldLines === 0 ? oldStart - 1 : oldStart},${oldLines} +${newLines === 0 ? newStart - 1 : newStart},${newLines} @@`;
}

/** Removes the end of a patch by git format-patch: `-- ` and a version, which looks like a removed line. */
function withoutSignature(patch: string): string {
  return patch.replace(/\n-- \r?\n\d[^\n]*\s*$/, '\n');
}

function indexOfLine(text: string, line: number): number {
  let at = 0;
  for (let number = 1; number < line; number++) at = text.indexOf('\n', at) + 1;
  return at;
}

/** Returns the line number in the patch and the file that it belongs to. */
function placeOf(patch: string, index: number): string {
  const end = patch.indexOf('\n', index);
  const before = end === -1 ? patch : patch.slice(0, end);
  const name = [...before.matchAll(/^(?:\+\+\+ |diff --git )([^\t\r\n]+)/gm)].at(-1)?.[1];
  return ` (line ${before.split('\n').length} of the patch${name === undefined ? '' : `, file ${excerpt(name)}`})`;
}
