import path from 'node:path';
import { importableNames } from './code-file.ts';
import type { CodeReader } from './code-reader.ts';
import { type PythonImport, pythonFolders, pythonImports } from './python-text.ts';

/** Follows the imports of a Python file, up to the installed packages. `roots`: folders that Python searches before those, in order. */
export function followPython(file: string, roots: readonly string[], reader: CodeReader, isEntry = false): void {
  const source = reader.open(file, { isEntry });
  if (source === undefined) return;
  const folder = path.dirname(source.file);
  // Its content replaces a source of the same time and size, whatever it holds.
  reader.reserve(path.join(folder, '__pycache__'));
  if (source.file !== file) reader.reserve(path.join(path.dirname(file), '__pycache__'));
  followPythonText(source.text, source.file, roots, reader);
}

/** Follows the imports of a text that runs as if it stood in this file. */
export function followPythonText(text: string, file: string, roots: readonly string[], reader: CodeReader): void {
  const folder = path.dirname(file);
  const added = pythonFolders(text, file).filter((one) => reader.isFolder(one));
  const all = [...new Set([...roots, ...added])];
  // Installed modules import others by names that are not listed anywhere: a new name in a folder searched earlier may shadow one.
  for (const root of all) reader.pin(root, importableNames);
  for (const one of pythonImports(text)) followImport(one, folder, all, reader);
  for (const [, script = ''] of text.matchAll(/['"]([^'"\n]+\.py)['"]/g))
    for (const base of [folder, ...all])
      if (reader.isFile(path.resolve(base, script))) followPython(path.resolve(base, script), all, reader);
}

function followImport({ name, members, level }: PythonImport, folder: string, roots: readonly string[], reader: CodeReader): void {
  const parts = name === '' ? [] : name.split('.').filter((part) => part !== '');
  const searchRoots = level === 0 ? roots : [path.resolve(folder, ...Array<string>(level - 1).fill('..'))];
  for (const root of searchRoots) {
    const found = level > 0 && parts.length === 0 ? root : followModule(root, parts, roots, reader);
    if (found === undefined) continue;
    for (const member of members) followModule(found, [member], roots, reader, false);
    return;
  }
}

/** Follows a dotted name below a folder. Returns the folder of its last module when that is a package; undefined when it is not there. */
function followModule(
  root: string,
  [first, ...rest]: readonly string[],
  roots: readonly string[],
  reader: CodeReader,
  reservesMissing = true,
): string | undefined {
  if (first === undefined) return root;
  const base = path.join(root, first);
  const [module, initial] = [`${base}.py`, path.join(base, '__init__.py')];
  const isPackage = reader.isFile(initial);
  if (isPackage) {
    reader.pin(base, importableNames);
    followPython(initial, roots, reader);
    return followModule(base, rest, roots, reader);
  }
  if (reader.isFile(module)) {
    reader.reserve(reader.isFolder(base) ? initial : base);
    followPython(module, roots, reader);
    return base;
  }
  if (reservesMissing) for (const place of [module, reader.isFolder(base) ? initial : base]) reader.reserve(place);
  // A namespace package: a folder without `__init__.py`, whose name is found nowhere else.
  const isNamespace = rest.length > 0 && reader.isFolder(base);
  return isNamespace ? followModule(base, rest, roots, reader) : undefined;
}
