/** Returns the options that a record of `--tool-paths` overrides in the configuration. */
export function toolPathsOf({ toolPaths }: { readonly toolPaths?: unknown }): Record<string, Readonly<Record<string, unknown>>> {
  return toolPaths === undefined ? {} : { 'tool-files': { toolPaths } };
}
