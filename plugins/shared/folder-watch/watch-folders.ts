import { existsSync } from 'node:fs';
import path from 'node:path';
import { FolderWatch, type WatchListeners } from './folder-watch.ts';

/** Names that discovery skips. */
const skipped = /^(?:\..*|node_modules|dist)$/;

const interesting = /\.([cm]?[jt]s|py|json|ya?ml|md)$/;

/**
 * Watches folders and files, from the moment it returns. Reports definitions and modules that are written, created or removed. A folder
 * may be missing, be removed and come back: then its nearest existing ancestor is watched. Files written after `since` (epoch ms) count as
 * changed. Returns a function that ends it.
 */
export function watchFolders(roots: readonly string[], listeners: WatchListeners, since = Date.now()): () => void {
  const isAbove = (place: string): boolean => roots.some((root) => root.startsWith(withEnd(place)));
  const isWithin = (place: string): boolean => roots.some((root) => root === place || place.startsWith(withEnd(root)));
  const choice = {
    isWatched: (place: string) => isAbove(place) || roots.some((root) => isFound(root, place)),
    isTold: (place: string, isFolder: boolean) => isWithin(place) && (isFolder || roots.includes(place) || interesting.test(place)),
  };
  const watching = new FolderWatch(choice, listeners);
  for (const base of new Set(roots.map(existingAbove))) watching.enter(base, since);
  return () => watching.close();
}

/** True for a path that discovery reaches from the root. */
function isFound(root: string, file: string): boolean {
  if (root === file) return true;
  if (!file.startsWith(withEnd(root))) return false;
  const parts = path.relative(root, file).split(path.sep);
  return !parts.some((part) => skipped.test(part));
}

function withEnd(folder: string): string {
  return folder.endsWith(path.sep) ? folder : folder + path.sep;
}

function existingAbove(file: string): string {
  const above = path.dirname(file);
  return above === file || existsSync(above) ? above : existingAbove(above);
}
