/** Lists the first names and the number of others: `a, b, c, d and 3 more`. */
export function formatFew(names: readonly string[], limit = 4): string {
  const shown = names.slice(0, limit).join(', ');
  return names.length > limit ? `${shown} and ${names.length - limit} more` : shown;
}
