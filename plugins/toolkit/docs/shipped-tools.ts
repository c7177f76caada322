import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createKernel, createLogger, type Tool, ToolkitError } from '../../../kernel/index.ts';
import { standard } from '../standard.ts';

/** Returns the tools of this project, sorted by name: the core and each provider package. `root`: the folder of package.json. */
export async function loadShippedTools(root: string): Promise<readonly Tool[]> {
  // Own text: package.json.
  const { workspaces } = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as { readonly workspaces: readonly string[] };
  const kernel = await createKernel({
    cwd: root,
    plugins: standard({ autoDiscover: false, toolPaths: workspaces.map((folder) => path.join(root, folder)) }),
    logger: createLogger({ level: 'silent' }),
  });
  const { tools, problems } = kernel.registry;
  await kernel.close();
  const wrong = problems.find(({ severity }) => severity === 'error');
  if (wrong !== undefined) throw new ToolkitError('TOOL_INVALID', `${wrong.file ?? wrong.plugin}: ${wrong.message}`);
  return [...tools.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1));
}
