import path from 'node:path';
import type { Origin } from '../schema/origin.ts';
import type { Provider } from '../schema/tool.ts';

/** Indexes the providers by the folder of their file. */
export function foldersOf(providers: ReadonlyMap<string, Provider>): ReadonlyMap<string, Provider> {
  const inFiles = [...providers.values()].flatMap((known) =>
    known.origin.file === undefined ? [] : [[known.origin.file, known] as const],
  );
  return new Map(inFiles.map(([file, known]) => [path.dirname(file), known]));
}

/** Returns the named provider, or that of the nearest provider file above. An invalid file hides those above it, because its tools do not belong to them. */
export function providerOf(
  { provider, origin }: { readonly provider?: string; readonly origin: Origin },
  providers: ReadonlyMap<string, Provider>,
  folders: ReadonlyMap<string, Provider>,
  refusedFolders: ReadonlySet<string> = new Set(),
): Provider | undefined {
  if (provider !== undefined) return providers.get(provider);
  if (origin.file === undefined) return undefined;
  for (let folder = path.dirname(origin.file); ; folder = path.dirname(folder)) {
    const found = folders.get(folder);
    if (found !== undefined) return found;
    if (folder === path.dirname(folder) || refusedFolders.has(folder)) return undefined;
  }
}
