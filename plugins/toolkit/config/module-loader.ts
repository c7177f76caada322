import { createRequire } from 'node:module';
import path from 'node:path';
import { typescriptLoader } from '../../shared/code/typescript.ts';
import { codeRoot } from '../../shared/project/layout.ts';
import { configError } from './config-error.ts';

/**
 * Returns a function that imports a module as seen from `from`. jiti compiles TypeScript on every supported Node, and provides the given modules in
 * place of installed copies with the same name.
 */
export function moduleLoader(
  ownModules: () => Promise<Readonly<Record<string, unknown>>>,
  from: string,
): (name: string) => Promise<unknown> {
  return async (name) => {
    const modules = await ownModules();
    const builtIn = modules[name];
    if (builtIn !== undefined) return builtIn;
    const { jiti, kept } = await typescriptLoader(from, { virtualModules: { ...modules }, alias: ownPlugins() });
    const target = path.isAbsolute(name) || name.startsWith('.') ? path.resolve(path.dirname(from), name) : resolvePackage(name, from);
    const module = (await jiti.import(target)) as Record<string, unknown>;
    await kept();
    return path.resolve(from) === target ? defaultOf(module, target) : module;
  };
}

/** Resolves `@toolkit/core/plugins/<name>` in imported code to the running copy. */
function ownPlugins(): Readonly<Record<string, string>> {
  return { '@toolkit/core/plugins': path.join(codeRoot(), 'plugins') };
}

/** Returns the default export of a configuration; a CommonJS module is its own default. */
function defaultOf(module: Readonly<Record<string, unknown>>, file: string): unknown {
  if (module['default'] !== undefined) return module['default'];
  const isModule = module['__esModule'] === true || Object.prototype.toString.call(module) === '[object Module]';
  if (!isModule) return module;
  throw configError(
    file,
    `has no default export: it exports ${Object.keys(module).join(', ') || 'nothing'}. Write "export default defineConfig({ plugins: [] })"`,
  );
}

function resolvePackage(name: string, from: string): string {
  try {
    return createRequire(from).resolve(name);
  } catch (error) {
    // A package with only an `import` condition has none for `require`; jiti resolves it by name.
    if ((error as { code?: string }).code === 'ERR_PACKAGE_PATH_NOT_EXPORTED') return name;
    throw error;
  }
}
