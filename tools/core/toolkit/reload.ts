import type { Tool } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';

interface ReloadResult {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  readonly failed: readonly { readonly path: string; readonly message: string }[];
}

/** Reads all definitions again and returns the changes for the caller. */
export async function reloadTools(_parameters: unknown, { tools }: FunctionContext): Promise<ReloadResult> {
  const before = hashes(tools.list());
  const problems = await tools.reload();
  const after = hashes(tools.list());
  return {
    added: [...after.keys()].filter((name) => !before.has(name)),
    removed: [...before.keys()].filter((name) => !after.has(name)),
    changed: [...after].filter(([name, hash]) => before.has(name) && before.get(name) !== hash).map(([name]) => name),
    failed: problems
      .filter(({ severity }) => severity === 'error')
      .map(({ file = '', position, path = '', message }) => ({
        path: position === undefined ? file : `${file}:${position.line}:${position.column}`,
        message: path === '' ? message : `${path}: ${message}`,
      })),
  };
}

function hashes(tools: readonly Tool[]): ReadonlyMap<string, string> {
  return new Map(tools.map(({ name, hash, provider }) => [name, `${hash} ${JSON.stringify(provider?.definition)}`]));
}
