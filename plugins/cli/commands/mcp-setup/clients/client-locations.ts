import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Machine } from '../machine.ts';
import type { ClientName } from '../names.ts';

export interface ClientLocation {
  /** The file in which the client keeps the servers of all projects. Absolute; it need not exist. */
  readonly file: string;
  /** What is there when the client is installed: one of these. */
  readonly signs: readonly string[];
}

/**
 * Where a client keeps its file; undefined for one that is not known. Files of a single project (`.mcp.json`, `.cursor/mcp.json`,
 * `.vscode/mcp.json`) are shared with others, and the paths of this machine are nothing for them.
 */
export async function locationOf(client: ClientName, machine: Machine): Promise<ClientLocation | undefined> {
  const { home, env } = machine;
  const { join } = machine.platform === 'win32' ? path.win32 : path.posix;
  switch (client) {
    case 'claude-desktop': {
      const folder = (await packagedClaude(machine)) ?? join(applicationData(machine), 'Claude');
      return { file: join(folder, 'claude_desktop_config.json'), signs: [folder] };
    }
    case 'claude-code': {
      const folder = env['CLAUDE_CONFIG_DIR'] || undefined;
      const file = join(folder ?? home, '.claude.json');
      return { file, signs: [file, folder ?? join(home, '.claude')] };
    }
    case 'cursor':
      return { file: join(home, '.cursor', 'mcp.json'), signs: [join(home, '.cursor')] };
    case 'vscode': {
      const folder = join(applicationData(machine), 'Code', 'User');
      return { file: join(folder, 'mcp.json'), signs: [folder] };
    }
    case 'windsurf': {
      const folder = join(home, '.codeium', 'windsurf');
      return { file: join(folder, 'mcp_config.json'), signs: [folder] };
    }
    case 'generic':
      return undefined;
  }
}

/** True when one of the signs is there. */
export async function isInstalled({ signs }: ClientLocation): Promise<boolean> {
  const found = await Promise.all(
    signs.map((sign) =>
      stat(sign).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}

/** Where Electron keeps the data of applications. */
function applicationData({ platform, env, home }: Machine): string {
  if (platform === 'win32') return env['APPDATA'] || path.win32.join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return path.posix.join(home, 'Library', 'Application Support');
  return env['XDG_CONFIG_HOME'] || path.posix.join(home, '.config');
}

/** Claude Desktop as a Windows package (MSIX) reads another folder than the one it names. */
async function packagedClaude({ platform, env, home }: Machine): Promise<string | undefined> {
  if (platform !== 'win32') return undefined;
  const packages = path.join(env['LOCALAPPDATA'] || path.win32.join(home, 'AppData', 'Local'), 'Packages');
  const names = (await readdir(packages).catch(() => [])).filter((name) => name.startsWith('Claude_')).sort();
  for (const name of names) {
    const folder = path.join(packages, name, 'LocalCache', 'Roaming', 'Claude');
    if (
      await stat(folder).then(
        (facts) => facts.isDirectory(),
        () => false,
      )
    )
      return folder;
  }
  return undefined;
}
