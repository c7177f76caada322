import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { invalid } from './config-error.ts';
import { ownCache } from './trust.ts';

/**
 * Imports a module as seen from `from`. jiti compiles TypeScript on every Node that we support and hands out the given modules in
 * place of installed copies of the same name.
 */
export function moduleLoader(modules: Readonly<Record<string, unknown>>, from: string): (name: string) => Promise<unknown> {
  return async (name) => {
    const { createJiti } = await import('jiti');
    const options = { virtualModules: { ...modules }, fsCache: cacheFolder(path.dirname(from)), interopDefault: false };
    const jiti = createJiti(pathToFileURL(from).href, options);
    const builtIn = modules[name];
    if (builtIn !== undefined) return builtIn;
    const target = path.isAbsolute(name) || name.startsWith('.') ? path.resolve(path.dirname(from), name) : resolvePackage(name, from);
    const module = (await jiti.import(target)) as Record<string, unknown>;
    return path.resolve(from) === target ? defaultOf(module, target) : module;
  };
}

/**
 * Where compiled configurations are kept, by content: in the node_modules of the project, which is trusted as much as what is installed
 * there, where that belongs to this account, and for it alone: a configuration may hold what others must not read. False elsewhere: what
 * lies in a folder of others is not run.
 */
function cacheFolder(folder: string): string | false {
  const modules = path.join(folder, 'node_modules');
  const above = path.dirname(folder);
  if (!existsSync(modules)) return above !== folder && cacheFolder(above);
  return ownCache(modules);
}

/** What the configuration exports; a CommonJS module is its own default. */
function defaultOf(module: Readonly<Record<string, unknown>>, file: string): unknown {
  if (module['default'] !== undefined) return module['default'];
  const isModule = module['__esModule'] === true || Object.prototype.toString.call(module) === '[object Module]';
  if (!isModule) return module;
  throw invalid(
    file,
    `has no default export: it exports ${Object.keys(module).join(', ') || 'nothing'}. Write "export default defineConfig({ plugins: [] })"`,
  );
}

function resolvePackage(name: string, from: string): string {
  try {
    return createRequire(from).resolve(name);
  } catch (error) {
    // A package for `import` only has no `require` condition; jiti resolves that by name.
    if ((error as { code?: string }).code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') return name;
    throw error;
  }
}
