import { existsSync } from 'node:fs';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { describeValue, didYouMean, excerpt, messageOf, ToolkitError } from '../../kernel/index.ts';

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

/** Imports the function. `fallback` names are tried when the reference names no export. Throws TOOL_INVALID. */
export async function importFunction<F>({ file, exportName }: CodeReference, fallback: readonly string[]): Promise<F> {
  const module = await importModule(file);
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

async function importModule(file: string): Promise<Record<string, unknown>> {
  const url = pathToFileURL(file).href;
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
  const { createJiti } = await import('jiti');
  try {
    return await createJiti(pathToFileURL(file).href, { fsCache: false, interopDefault: false }).import(file);
  } catch (error) {
    throw loadError(file, error);
  }
}

function loadError(file: string, error: unknown): ToolkitError {
  return new ToolkitError(
    'TOOL_INVALID',
    `${file} does not load: ${excerpt(messageOf(error))}. Correct the module, then start again.`,
    { file },
    { cause: error },
  );
}
