import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  describeValue,
  didYouMean,
  excerpt,
  type Issue,
  isPlainObject,
  messageOf,
  type Origin,
  ToolkitError,
} from '../../../kernel/index.ts';
import { isInside } from '../project/is-inside.ts';
import { codeRoot } from '../project/layout.ts';
import { typescriptLoader } from './typescript.ts';

/** `./file.ts#export` of a definition, resolved: an existing file and the name of an export. */
export interface CodeReference {
  readonly file: string;
  readonly exportName: string | undefined;
}

/** Finds the file of a reference. A missing `.ts` file falls back to its compiled `.js`. Undefined when neither exists. */
export function resolveCode(code: string, directory: string): CodeReference | undefined {
  const [relative = '', exportName] = code.split('#');
  const file = path.resolve(directory, relative);
  const compiled = file.replace(/\.ts$/, '.js');
  const found = [file, compiled].find((candidate) => existsSync(candidate));
  return found === undefined ? undefined : { file: found, exportName };
}

/** Returns the issue of a reference under `key` of an execution. Undefined when its file exists. */
export function codeIssue(key: string, code: string, { directory, isProposed = false, siblings: beside = [] }: Origin): Issue | undefined {
  const at = { path: key, pointer: `/${key}` };
  const [file = ''] = code.split('#');
  if (isProposed && !isInside(path.resolve(directory ?? '.', file), path.resolve(directory ?? '.')))
    return {
      ...at,
      message: `expected a module in the folder of the definition or below it, received "${code}". Put it there, and name it from there`,
    };
  const name = path.relative(directory ?? '.', path.resolve(directory ?? '.', file));
  // It will be written beside the definition.
  if (beside.includes(name) || resolveCode(code, directory ?? '.') !== undefined) return undefined;
  const looked = directory ?? 'the working directory';
  return {
    ...at,
    message: `expected a module that exists, received "${code}" (looked in ${looked}). Create the file, or correct the path`,
  };
}

/**
 * Returns the files that a definition's references name. For a definition that is not the operator's, files of this program are left out:
 * they are trusted with it.
 */
export function codeFiles(codes: readonly string[], { directory = '.', trust }: Pick<Origin, 'directory' | 'trust'>): readonly string[] {
  const files = codes.flatMap((code) => resolveCode(code, directory)?.file ?? []);
  return files.filter((file) => trust === 'operator' || !file.startsWith(codeRoot() + path.sep));
}

/**
 * Imports a function. `fallback`: names to try when the reference names no export. `isAnew`: reads the file again even when Node has
 * imported it before; call `forgetModules` first. Throws TOOL_INVALID.
 */
export async function importFunction<F>({ file, exportName }: CodeReference, fallback: readonly string[], isAnew = false): Promise<F> {
  const module = await (isAnew && !isInstalled(file) ? importAnew(file) : importModule(file));
  const names = exportName === undefined ? fallback : [exportName];
  const candidates = names.map((name) => module[name]).filter((candidate) => candidate !== undefined);
  const found = candidates.find((candidate) => typeof candidate === 'function');
  if (found !== undefined) return found as F;
  const exports = Object.keys(module);
  const hint = exportName === undefined ? '' : didYouMean(exportName, exports);
  throw new ToolkitError(
    'TOOL_INVALID',
    `${file} does not export ${names.map((name) => `"${name}"`).join(' or ')} as a function: received ${describeValue(candidates[0])}.${hint} It exports ${exports.join(', ') || 'nothing'}.`,
    { file },
  );
}

/** Removes every CommonJS module and every module compiled here from the cache, so that the next import reads its file. */
export function forgetModules(): void {
  const { cache } = createRequire(import.meta.url);
  for (const file of Object.keys(cache)) if (!isInstalled(file)) delete cache[file];
}

/** True for packages and this program: code that is not edited while it runs, and must exist once. */
function isInstalled(file: string): boolean {
  return file.includes(`${path.sep}node_modules${path.sep}`) || file.startsWith(codeRoot() + path.sep);
}

async function importModule(file: string, query = ''): Promise<Record<string, unknown>> {
  const url = pathToFileURL(file).href + query;
  try {
    return (await import(url)) as Record<string, unknown>;
  } catch (error) {
    const { code } = error as { code?: string };
    const needsCompiler = file.endsWith('.ts') && (code === 'ERR_UNKNOWN_FILE_EXTENSION' || code === 'ERR_UNSUPPORTED_TYPESCRIPT_SYNTAX');
    if (needsCompiler) return compileAndImport(file);
    throw loadError(file, error);
  }
}

async function compileAndImport(file: string): Promise<Record<string, unknown>> {
  const { jiti, kept } = await typescriptLoader(file);
  try {
    return await jiti.import(file);
  } catch (error) {
    throw loadError(file, error);
  } finally {
    await kept();
  }
}

/** Imports a module with every module that it imports. Compiles them all, because Node itself would return its cached copies. */
async function importAnew(file: string): Promise<Record<string, unknown>> {
  const { jiti, kept } = await typescriptLoader(file);
  try {
    return asModule(jiti(file));
  } catch (error) {
    const waits = error instanceof SyntaxError && error.message.includes('await is only valid');
    if (!waits) throw loadError(file, error, 'Correct the module');
  } finally {
    await kept();
  }
  // A module with top-level await cannot be required. Its imports stay as they were.
  if (file.endsWith('.ts')) return compileAndImport(file);
  return importModule(file, `?anew=${performance.now()}`);
}

/** Converts a required module as Node does: it is the default export, and its members are exports. */
function asModule(required: unknown): Record<string, unknown> {
  if (isPlainObject(required) && '__esModule' in required) return required;
  return { ...(typeof required === 'object' ? required : {}), default: required };
}

function loadError(file: string, error: unknown, advice = 'Correct the module, then start again'): ToolkitError {
  return new ToolkitError('TOOL_INVALID', `${file} does not load: ${excerpt(messageOf(error))}. ${advice}.`, { file }, { cause: error });
}
