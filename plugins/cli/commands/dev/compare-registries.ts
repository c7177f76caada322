import path from 'node:path';
import { LongWork, type Provider, type Registry, type Tool } from '../../../../kernel/index.ts';

/** Names of the tools and skills that differ between two loads. */
export interface Difference {
  readonly changed: readonly string[];
  readonly added: readonly string[];
  readonly removed: readonly string[];
}

/** Compares two registries. A tool whose module is among the changed files counts as changed. Yields to the event loop in between. */
export async function compareRegistries(before: Registry, after: Registry, changedFiles: ReadonlySet<string>): Promise<Difference> {
  const work = new LongWork();
  const providers = new ProviderTexts();
  const [changed, added]: [string[], string[]] = [[], []];
  for (const [name, tool] of after.tools) {
    if (work.isDue) await work.yieldToEventLoop();
    const old = before.tools.get(name);
    if (old === undefined) added.push(name);
    else if (listModules(tool).some((file) => changedFiles.has(file)) || !isSame(old, tool, providers)) changed.push(name);
  }
  for (const [name, { text }] of after.skills) {
    const old = before.skills.get(name);
    if (old === undefined) added.push(`skill ${name}`);
    else if (old.text !== text) changed.push(`skill ${name}`);
  }
  const removed = [...before.tools.keys()].filter((name) => !after.tools.has(name));
  const removedSkills = [...before.skills.keys()].filter((name) => !after.skills.has(name)).map((name) => `skill ${name}`);
  return { changed, added, removed: [...removed, ...removedSkills] };
}

/** Lists the module files that a tool names, both as TypeScript and as compiled JavaScript. */
export function listModules({ execution, origin: { directory } }: Tool): string[] {
  const named = [execution['code'], execution['parse'], execution['prepare'], execution['identify']];
  return named.flatMap((reference) => {
    if (typeof reference !== 'string' || !reference.startsWith('.') || directory === undefined) return [];
    const file = path.resolve(directory, reference.split('#')[0] ?? '');
    return [file, file.replace(/\.ts$/, '.js')];
  });
}

function isSame(old: Tool, tool: Tool, providers: ProviderTexts): boolean {
  return old === tool || (old.hash === tool.hash && providers.of(old) === providers.of(tool));
}

/** Caches the JSON of providers: it is made once for all tools of a provider. */
class ProviderTexts {
  readonly #texts = new Map<Provider, string>();

  of({ provider }: Tool): string | undefined {
    if (provider === undefined) return undefined;
    const text = this.#texts.get(provider) ?? JSON.stringify(provider.definition);
    this.#texts.set(provider, text);
    return text;
  }
}
