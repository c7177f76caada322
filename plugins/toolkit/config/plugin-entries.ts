import { describeValue, excerpt, isPlainObject, messageOf, type Plugin, type PluginEntry, sentence } from '../../../kernel/index.ts';
import { configError } from './config-error.ts';

/** Loads an entry of a configuration: `'module'`, `['module', options]`, a plugin object, or a nested list (a preset). */
export async function resolveEntry(
  entry: unknown,
  location: string,
  file: string,
  load: (name: string) => Promise<unknown>,
): Promise<PluginEntry> {
  if (typeof entry === 'string' && entry !== '') return instantiate(entry, undefined, location, file, load);
  if (!Array.isArray(entry)) return entry as PluginEntry;
  const [name, options] = entry as unknown[];
  const isNamed = typeof name === 'string' && entry.length === 2 && isPlainObject(options) && typeof options['apply'] !== 'function';
  if (isNamed) return instantiate(name, options, location, file, load);
  return Promise.all(entry.map((inner, index) => resolveEntry(inner, `${location}[${index}]`, file, load)));
}

async function instantiate(
  name: string,
  options: unknown,
  location: string,
  file: string,
  load: (name: string) => Promise<unknown>,
): Promise<PluginEntry> {
  let module: unknown;
  try {
    module = await load(name);
  } catch (error) {
    const isMissing = /cannot find|not found|does not provide/i.test(messageOf(error));
    const advice = isMissing ? ` Install it${isPackageName(name) ? ` (npm install ${name})` : ''}, or correct the name.` : '';
    throw configError(
      file,
      `${location}: the plugin module "${name}" does not load: ${sentence(excerpt(messageOf(error)))}${advice}`,
      error,
    );
  }
  const factory = factoryOf(module);
  if (typeof factory === 'function') return withOrigin((factory as (options?: unknown) => PluginEntry)(options), name);
  if (isPlainObject(factory) && typeof factory['apply'] === 'function' && options === undefined)
    return withOrigin(factory as unknown as PluginEntry, name);
  throw configError(
    file,
    `${location}: the module "${name}" is not a plugin: expected a default export made by definePlugin, received ${describeValue(factory)}`,
  );
}

/** Marks plugins with the name of their module, for `toolkit plugins`. */
function withOrigin(entry: PluginEntry, from: string): PluginEntry {
  if (Array.isArray(entry)) return entry.map((inner: PluginEntry) => withOrigin(inner, from));
  return isPlainObject(entry) ? { ...(entry as Plugin), from } : entry;
}

/** True for a package name that is safe to paste into a shell. */
function isPackageName(name: string): boolean {
  return /^(@[a-z0-9~][\w.~-]*\/)?[a-z0-9][\w.~-]*$/i.test(name);
}

/** Returns the default export, or the only function that a module exports, as modules of built-in plugins do. */
function factoryOf(module: unknown): unknown {
  if (typeof module !== 'object' || module === null) return module;
  const exported = (module as { default?: unknown }).default;
  if (exported !== undefined) return exported;
  const functions = Object.values(module).filter((value) => typeof value === 'function');
  return functions.length === 1 ? functions[0] : module;
}
