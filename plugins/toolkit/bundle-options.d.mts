import type { BuildOptions } from 'esbuild';

/** Packages that are bundled with what they depend on; the others are imported as they are installed. */
export const inlined: readonly string[];

/** How our code is bundled. `root`: the folder of package.json. */
export function bundleOptions(root: string): Promise<BuildOptions>;

/** How the same code becomes one script. `options`: as `bundleOptions` gives them. */
export function scriptOptions(options: BuildOptions): BuildOptions;
