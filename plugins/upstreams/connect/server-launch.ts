import { existsSync } from 'node:fs';
import path from 'node:path';
import type { ControlFiles, Launcher } from '../../../kernel/index.ts';
import type { LaunchProgram } from '../../shared/process/program.ts';
import type { ServerSettings } from '../settings.ts';

/** Binds the launcher of the kernel, such as a sandbox, to the program of a server. Undefined where no plugin has set one. */
export function serverLaunch(
  launcher: Launcher | undefined,
  { name, command, args = [], network = false }: Pick<ServerSettings, 'name' | 'command' | 'args' | 'network'>,
  cwd: string,
  controlFiles: ControlFiles,
): LaunchProgram | undefined {
  if (launcher === undefined || command === undefined) return undefined;
  const tool = { name, origin: { plugin: 'upstreams', trust: 'operator' } } as const;
  // Files that the operator names: the program itself, and its script.
  const files = [command, ...args].filter((text) => !text.startsWith('-') && /[\\/]/.test(text)).map((text) => path.resolve(cwd, text));
  const reads = files.filter((file) => existsSync(file));
  return (start) => launcher(start, { tool, controlFiles, network, writes: [], reads });
}
