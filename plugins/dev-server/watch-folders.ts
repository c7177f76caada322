import { existsSync, type Stats } from 'node:fs';
import path from 'node:path';
import { messageOf } from '../../kernel/index.ts';

export interface WatchListeners {
  onChange(file: string): void;
  /** The system cannot watch, or not everything. Told once. */
  onError(message: string): void;
}

/** What discovery passes over as well. */
const skipped = /^(?:\..*|node_modules|dist)$/;

const interesting = /\.([cm]?[jt]s|py|json|ya?ml|md)$/;

/**
 * Tells which definitions and modules below these folders, and which of these files, are written, made or removed, from the moment this
 * resolves. A folder may be missing, be removed and come back: what is watched is the nearest folder above it that exists now, because a
 * watcher of a path that does not exist says that it is ready before it is. Files written after `since` (epoch ms) count as changed.
 * Returns what ends it.
 */
export async function watchFolders(
  roots: readonly string[],
  { onChange, onError }: WatchListeners,
  since = Date.now(),
): Promise<() => Promise<void>> {
  if (roots.length === 0) return async () => {};
  const { watch } = await import('chokidar');
  const isWanted = (place: string, stats: Stats | undefined): boolean => {
    if (roots.some((root) => root === place || root.startsWith(withEnd(place)))) return true;
    const root = roots.find((candidate) => place.startsWith(withEnd(candidate)));
    if (
      root === undefined ||
      path
        .relative(root, place)
        .split(path.sep)
        .some((part) => skipped.test(part))
    )
      return false;
    return stats?.isFile() !== true || interesting.test(place);
  };
  const bases = [...new Set(roots.map((root) => existingAbove(root)))];
  const watcher = watch(bases, { ignored: (place, stats) => !isWanted(path.normalize(place), stats), alwaysStat: true });
  const tell = (place: string): void => onChange(path.normalize(place));
  watcher.on('change', tell).on('unlink', tell).on('unlinkDir', tell);
  let isReady = false;
  watcher.on('add', (place, stats) => {
    if (isReady || (stats?.mtimeMs ?? 0) > since) tell(place);
  });
  watcher.once('error', (error) => {
    onError(messageOf(error));
    watcher.on('error', () => {});
  });
  await new Promise<void>((resolve) => void watcher.once('ready', resolve));
  isReady = true;
  return () => watcher.close();
}

function withEnd(folder: string): string {
  return folder.endsWith(path.sep) ? folder : folder + path.sep;
}

function existingAbove(place: string): string {
  const above = path.dirname(place);
  return above === place || existsSync(above) ? above : existingAbove(above);
}
