import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { shellWord } from '../text/shell-word.ts';
import { ancestors } from './ancestors.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Returns the command that starts this program again from a shell in `cwd`: `toolkit` if the PATH has this very program,
 * `npx --no-install toolkit` if the project has installed it, else its path. Never a name that npm could download: it belongs to someone else.
 */
export async function programCommand(program: readonly string[], env: Environment, cwd: string): Promise<string> {
  const [node = 'node'] = program;
  const main = program.at(-1) ?? '';
  const { default: which } = await import('which');
  const onPath = (name: string): Promise<string | null> =>
    which(name, { nothrow: true, ...(env['PATH'] === undefined ? {} : { path: env['PATH'] }) });
  if (await isSame(await onPath('toolkit'), main)) return 'toolkit';
  for (const folder of ancestors(cwd))
    if (await isSame(path.join(folder, 'node_modules', '@toolkit', 'core', 'dist', 'plugins', 'toolkit', 'main.js'), main))
      if ((await realOf(path.join(folder, 'node_modules', '.bin', 'toolkit'))) !== undefined) return 'npx --no-install toolkit';
  const shownNode = (await isSame(await onPath('node'), node)) ? 'node' : shellWord(node);
  return `${shownNode} -- ${shellWord(main)}`;
}

async function isSame(file: string | null, other: string): Promise<boolean> {
  const real = file === null ? undefined : await realOf(file);
  return real !== undefined && real === (await realOf(other));
}

function realOf(file: string): Promise<string | undefined> {
  return realpath(file).catch(() => undefined);
}
