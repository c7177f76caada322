import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Machine } from '../machine.ts';
import type { ClientName } from '../names.ts';

export interface ClientLocation {
  /** The file in which the client stores servers. Absolute; need not exist. */
  readonly file: string;
  /** Paths of which at least one exists when the client is installed. */
  readonly installPaths: readonly string[];
}

/** Files that clients read from the folder of a project. */
const projectFiles: Readonly<Partial<Record<ClientName, string>>> = {
  'claude-code': '.mcp.json',
  cursor: '.cursor/mcp.json',
  vscode: '.vscode/mcp.json',
};

/** Clients that read a file of the project. */
export const projectClients = Object.keys(projectFiles);

/** Returns the project file of a client; undefined for a client that reads none. `folder`: absolute. */
export function projectLocationOf(client: ClientName, folder: string): ClientLocation | undefined {
  const name = projectFiles[client];
  return name === undefined ? undefined : { file: path.join(folder, name), installPaths: [folder] };
}

/** Returns the location of the client's file for all projects; undefined for an unknown client. */
export async function locationOf(client: ClientName, machine: Machine): Promise<ClientLocation | undefined> {
  const { home, env } = machine;
  const { join } = machine.platform === 'win32' ? path.win32 : path.posix;
  switch (client) {
    case 'claude-desktop': {
      const folder = (await packagedClaude(machine)) ?? join(applicationData(machine), 'Claude');
      return { file: join(folder, 'claude_desktop_config.json'), installPaths: [folder] };
    }
    case 'claude-code': {
      const folder = env['CLAUDE_CONFIG_DIR'] || undefined;
      const file = join(folder ?? home, '.claude.json');
      return { file, installPaths: [file, folder ?? join(home, '.claude')] };
    }
    case 'cursor':
      return { file: join(home, '.cursor', 'mcp.json'), installPaths: [join(home, '.cursor')] };
    case 'vscode': {
      const folder = join(applicationData(machine), 'Code', 'User');
      return { file: join(folder, 'mcp.json'), installPaths: [folder] };
    }
    case 'windsurf': {
      const folder = join(home, '.codeium', 'windsurf');
      return { file: join(folder, 'mcp_config.json'), installPaths: [folder] };
    }
    case 'generic':
      return undefined;
  }
}

/** True when one of the installation paths exists. */
export async function isInstalled({ installPaths }: ClientLocation): Promise<boolean> {
  const found = await Promise.all(
    installPaths.map((installPath) =>
      stat(installPath).then(
        () => true,
        () => false,
      ),
    ),
  );
  return found.includes(true);
}

/** Returns the folder in which Electron stores the data of applications. */
function applicationData({ platform, env, home }: Machine): string {
  if (platform === 'win32') return env['APPDATA'] || path.win32.join(home, 'AppData', 'Roaming');
  if (platform === 'darwin') return path.posix.join(home, 'Library', 'Application Support');
  return env['XDG_CONFIG_HOME'] || path.posix.join(home, '.config');
}

/** Returns the folder that Claude Desktop reads when installed as a Windows package (MSIX). It is not the one it shows. */
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
