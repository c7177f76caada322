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

/** `./file.ts#export` in a definition: an existing file and the name of one of its exports. */
export interface CodeReference {
  readonly file: string;
  readonly exportName: string | undefined;
}

/** The file behind a reference; a `.ts` file stands for its compiled `.js` where only that exists. Undefined when neither is there. */
export function resolveCode(code: string, directory: string): CodeReference | undefined {
  const [relative = '', exportName] = code.split('#');
  const file = path.resolve(directory, relative);
  const compiled = file.replace(/\.ts$/, '.js');
  const found = [file, compiled].find((candidate) => existsSync(candidate));
  return found === undefined ? undefined : { file: found, exportName };
}

/** What is wrong with a reference under `key` of an execution; undefined when its file is there. */
export function codeIssue(key: string, code: string, { directory, isProposed = false, beside = [] }: Origin): Issue | undefined {
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

/** The files behind references of a definition, but those of this program: they come and go with it. */
export function codeFiles(codes: readonly string[], { directory = '.', trust }: Pick<Origin, 'directory' | 'trust'>): readonly string[] {
  const files = codes.flatMap((code) => resolveCode(code, directory)?.file ?? []);
  return files.filter((file) => trust === 'operator' || !file.startsWith(codeRoot() + path.sep));
}

/**
 * Imports the function. `fallback` names are tried when the reference names no export. `isAnew`: as the file is now, where Node itself would
 * give what it imported before; call `forgetModules` first. Throws TOOL_INVALID.
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

/** Drops every module that was compiled here, and every CommonJS module, so that importing it anew reads its file again. */
export function forgetModules(): void {
  const { cache } = createRequire(import.meta.url);
  for (const file of Object.keys(cache)) if (!isInstalled(file)) delete cache[file];
}

/** Code that nobody edits while it runs, and of which there must be one copy: packages, and this program. */
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

/** With every module that it imports, also those that Node itself could import: it would give what it has. */
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
  // A module that waits while it loads cannot be required. What it imports stays as it was.
  if (file.endsWith('.ts')) return compileAndImport(file);
  return importModule(file, `?anew=${performance.now()}`);
}

/** What Node makes of a CommonJS module: it is the default export, and its members are exports. */
function asModule(required: unknown): Record<string, unknown> {
  if (isPlainObject(required) && '__esModule' in required) return required;
  return { ...(typeof required === 'object' ? required : {}), default: required };
}

function loadError(file: string, error: unknown, advice = 'Correct the module, then start again'): ToolkitError {
  return new ToolkitError('TOOL_INVALID', `${file} does not load: ${excerpt(messageOf(error))}. ${advice}.`, { file }, { cause: error });
}
