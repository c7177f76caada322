import { createRequire } from 'node:module';
import path from 'node:path';
import { typescriptLoader } from '../../shared/code/typescript.ts';
import { codeRoot } from '../../shared/project/layout.ts';
import { invalid } from './config-error.ts';

/**
 * Imports a module as seen from `from`. jiti compiles TypeScript on every Node that we support and hands out the given modules in
 * place of installed copies of the same name.
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

/** `@toolkit/core/plugins/<name>` in code is of the running copy too. */
function ownPlugins(): Readonly<Record<string, string>> {
  return { '@toolkit/core/plugins': path.join(codeRoot(), 'plugins') };
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
