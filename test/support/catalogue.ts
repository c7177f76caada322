/** Patterns for the names of tools that are shipped and stand beside the catalogue of 255, of which the figures are: for `excludeTools`. */
export const besideCatalogue: readonly string[] = ['calendar_read', 'data_*', 'image_info', 'sheet_*'];

/** Tells whether a shipped tool is one of the catalogue of 255. */
export function isCatalogued(name: string): boolean {
  return !besideCatalogue.some((pattern) => new RegExp(`^${pattern.replace('*', '.*')}$`).test(name));
}
