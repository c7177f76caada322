import path from 'node:path';
import { codeRoot, runsFromSource } from '../project/layout.ts';

const installedFolders = new Set(['node_modules', 'site-packages', 'dist-packages']);

const ownFolders = runsFromSource ? ['kernel', 'plugins', 'tools'].map((name) => path.join(codeRoot(), name)) : [codeRoot()];

/** True for code of packages and of this program: only an installation writes it, never a tool. */
export function isInstalled(file: string): boolean {
  return file.split(path.sep).some((part) => installedFolders.has(part)) || ownFolders.some((folder) => file.startsWith(folder + path.sep));
}
