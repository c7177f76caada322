/** The first few names, and how many more there are. */
export function few(names: readonly string[], limit = 4): string {
  const shown = names.slice(0, limit).join(', ');
  return names.length > limit ? `${shown} and ${names.length - limit} more` : shown;
}
