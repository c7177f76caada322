import path from 'node:path';
import type { Provider, Registry, Tool } from '../../../../kernel/index.ts';

/** Names of tools and skills. */
export interface Difference {
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** What is different between two moments. A tool whose module is among the changed files counts as changed. */
export function differenceOf(before: Registry, after: Registry, changedFiles: ReadonlySet<string>): Difference {
  const [old, current] = [marksOf(before), marksOf(after)];
  const isTouched = (name: string): boolean => {
    const tool = after.tools.get(name);
    return tool !== undefined && modulesOf(tool).some((file) => changedFiles.has(file));
  };
  const names = [...current.keys()];
  return {
    changed: names.filter((name) => old.has(name) && (old.get(name) !== current.get(name) || isTouched(name))),
    added: names.filter((name) => !old.has(name)),
    removed: [...old.keys()].filter((name) => !current.has(name)),
  };
}

/** The files of the modules that a tool names, as they may be written or compiled. */
export function modulesOf({ execution, origin: { directory } }: Tool): string[] {
  const named = [execution['code'], execution['parse'], execution['prepare'], execution['identify']];
  return named.flatMap((reference) => {
    if (typeof reference !== 'string' || !reference.startsWith('.') || directory === undefined) return [];
    const file = path.resolve(directory, reference.split('#')[0] ?? '');
    return [file, file.replace(/\.ts$/, '.js')];
  });
}

/** For each tool and skill a text that is another one when it is. */
function marksOf({ tools, skills }: Registry): ReadonlyMap<string, string> {
  const providers = new Map<Provider, string>();
  const markOf = (provider: Provider): string => {
    const mark = providers.get(provider) ?? JSON.stringify(provider.definition);
    providers.set(provider, mark);
    return mark;
  };
  return new Map([
    ...[...tools.values()].map(({ name, hash, provider }) => [name, provider === undefined ? hash : hash + markOf(provider)] as const),
    ...[...skills.values()].map(({ name, text }) => [`skill ${name}`, text] as const),
  ]);
}
