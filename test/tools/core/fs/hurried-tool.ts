import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';

/** Writes a copy of a core tool that is called `hurried` and has this time limit into a folder, for `toolPaths`. */
export async function hurriedTool(folder: string, definition: URL, timeoutMs: number): Promise<void> {
  const original = parse(await readFile(definition, 'utf8')) as { execution: { code: string } };
  const code = path.join(path.dirname(definition.pathname), original.execution.code);
  const copy = { ...original, name: 'hurried', execution: { ...original.execution, code, timeout_ms: timeoutMs }, examples: [] };
  await writeFile(path.join(folder, 'hurried.yaml'), JSON.stringify(copy));
}
