import { excludedBelow } from './files-below.ts';

/** Lists the absolute paths that globs exclude from a folder, for a tool that runs in the server. Runs in a child process. */
export async function excludedPaths({ folder, globs }: { readonly folder: string; readonly globs: readonly string[] }): Promise<string[]> {
  return [...(await excludedBelow(folder, globs))];
}
