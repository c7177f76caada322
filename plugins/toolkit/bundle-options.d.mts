import type { BuildOptions } from 'esbuild';

/** How our code is bundled. `root`: the folder of package.json. */
export function bundleOptions(root: string): Promise<BuildOptions>;
