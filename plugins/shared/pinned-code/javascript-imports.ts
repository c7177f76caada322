import { isBuiltin } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isPlainObject } from '../../../kernel/index.ts';
import type { CodeReader } from './code-reader.ts';

/** Extensions that Node and the compiler try for a name without one. Missing candidates are reserved. */
const extensions = ['.js', '.mjs', '.cjs', '.ts', '.tsx', '.mts', '.cts', '.mtsx', '.ctsx', '.json', '.node'];

const typescriptExtensions = ['.ts', '.tsx', '.mts', '.cts'];

/** Finds the specifier after `import`, `from`, `require` and the like. Matches in comments are harmless. */
const imported =
  /(?:\bfrom|\bimport|\brequire|\brequire\.resolve|\bimport\.meta\.resolve)\s*\(?\s*(?:\/\*[^*]*\*\/\s*)?(?:'([^'\\\n]+)'|"([^"\\\n]+)"|`([^`\\\n$]+)`)/g;

/** Finds other texts that name a module, such as a worker or a URL. */
const named = /['"`](\.{1,2}\/[^'"`\n]*?\.[cm]?[jt]sx?)(?:#\w+)?['"`]/g;

/** Follows the imports of a JavaScript or TypeScript module, up to the packages. */
export function followJavaScript(file: string, reader: CodeReader, isEntry: boolean): void {
  const source = reader.open(file, { isEntry });
  if (source === undefined) return;
  if (source.file.endsWith('.json') || source.file.endsWith('.node')) return;
  followText(source.text, source.file, reader);
}

/** Follows the imports of a text that runs as if it stood in this file. */
export function followText(text: string, file: string, reader: CodeReader): void {
  const folder = path.dirname(file);
  const manifest = reader.nearest('package.json', folder, 'module');
  if (/\.[cm]?tsx?$/.test(file)) reader.nearest('tsconfig.json', folder);
  for (const [, single, double, template] of text.matchAll(imported)) {
    const specifier = single ?? double ?? template ?? '';
    followSpecifier(specifier, { folder, manifest, reader });
  }
  for (const [, name = ''] of text.matchAll(named)) {
    const target = path.resolve(folder, name);
    if (reader.isFile(target)) followJavaScript(target, reader, false);
  }
}

interface ImportContext {
  readonly folder: string;
  /** The nearest package.json. */
  readonly manifest: string | undefined;
  readonly reader: CodeReader;
}

function followSpecifier(specifier: string, from: ImportContext): void {
  const { folder, manifest, reader } = from;
  const [plain = ''] = specifier.startsWith('#') ? [specifier] : specifier.split(/[?#]/);
  if (plain.startsWith('file:')) followPath(fileURLToPath(plain), reader);
  else if (/^\.{0,2}\//.test(plain) || plain === '.' || plain === '..') followPath(path.resolve(folder, plain), reader);
  else if (plain.startsWith('#')) followTargets(manifest, 'imports', plain, reader);
  else if (plain !== '' && !isBuiltin(plain) && !plain.includes(':')) followPackage(plain, from);
}

/** Follows an import path: that file, one with an added extension, or a folder. */
function followPath(file: string, reader: CodeReader): void {
  const stem = file.replace(/\.([cm]?)jsx?$/, '');
  const isExact = reader.isFile(file);
  const beside = stem === file ? [] : typescriptExtensions.map((extension) => stem + extension);
  const candidates = isExact ? beside : [...beside, ...extensions.map((extension) => file + extension)];
  if (isExact) followJavaScript(file, reader, false);
  for (const candidate of candidates)
    if (reader.isFile(candidate)) followJavaScript(candidate, reader, false);
    else reader.reserve(candidate);
  if (isExact) return;
  if (reader.isFolder(file)) followFolder(file, reader);
  else reader.reserve(file);
}

function followFolder(folder: string, reader: CodeReader): void {
  const manifest = path.join(folder, 'package.json');
  reader.pin(manifest, 'module');
  const { main } = manifestOf(manifest, reader);
  if (typeof main === 'string') followPath(path.resolve(folder, main), reader);
  for (const extension of extensions) {
    const index = path.join(folder, `index${extension}`);
    if (reader.isFile(index)) followJavaScript(index, reader, false);
    else reader.reserve(index);
  }
}

/** Follows a package: the enclosing one by its own name, a linked workspace, or an installed one, where it ends. */
function followPackage(specifier: string, { folder, manifest, reader }: ImportContext): void {
  const [, name = specifier, rest = ''] = /^((?:@[^/]+\/)?[^/]+)(\/.*)?$/.exec(specifier) ?? [];
  if (manifest !== undefined && manifestOf(manifest, reader)['name'] === name) followTargets(manifest, 'exports', `.${rest}`, reader);
  for (let above = folder; ; above = path.dirname(above)) {
    const packageFolder = path.join(above, 'node_modules', name);
    // A nearer package would run instead.
    reader.reserve(packageFolder);
    if (reader.isFolder(packageFolder)) {
      followWorkspace(packageFolder, rest, reader);
      return;
    }
    if (above === path.dirname(above)) return;
  }
}

function followWorkspace(linkedFolder: string, rest: string, reader: CodeReader): void {
  const folder = reader.real(linkedFolder);
  if (folder === undefined) return;
  const manifest = path.join(folder, 'package.json');
  reader.pin(manifest, 'module');
  const { exports } = manifestOf(manifest, reader);
  if (exports !== undefined) followTargets(manifest, 'exports', `.${rest}`, reader);
  else followPath(path.join(folder, rest), reader);
}

/** Follows the targets of a name in package.json, under all conditions. */
function followTargets(manifest: string | undefined, key: 'imports' | 'exports', name: string, reader: CodeReader): void {
  if (manifest === undefined) return;
  if (key === 'imports') reader.pin(manifest, 'imports');
  const written = manifestOf(manifest, reader)[key];
  const isMap = isPlainObject(written) && Object.keys(written).some((own) => own.startsWith('.') || own.startsWith('#'));
  const entries: readonly (readonly [string, unknown])[] = isMap ? Object.entries(written) : [['.', written]];
  const folder = path.dirname(manifest);
  for (const [pattern, target] of entries) {
    const filling = matchPattern(pattern, name);
    if (filling === undefined) continue;
    for (const text of textsIn(target)) followSpecifier(text.replaceAll('*', filling), { folder, manifest, reader });
  }
}

/** Returns the text that `*` of a pattern stands for in a name; empty for a pattern without `*`, undefined when the name does not match. */
function matchPattern(pattern: string, name: string): string | undefined {
  const [start = '', end] = pattern.split('*');
  if (end === undefined) return pattern === name ? '' : undefined;
  const isMatch = name.startsWith(start) && name.endsWith(end) && name.length >= start.length + end.length;
  return isMatch ? name.slice(start.length, name.length - end.length) : undefined;
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value];
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(textsIn) : [];
}

function manifestOf(file: string, reader: CodeReader): Readonly<Record<string, unknown>> {
  try {
    // No number: where imports lead.
    const value: unknown = JSON.parse(reader.textOf(file) ?? '{}');
    return isPlainObject(value) ? value : {};
  } catch {
    return {};
  }
}
