/** Lists the first names and the number of others: `a, b, c, d and 3 more`. */
export function few(names: readonly string[], limit = 4): string {
  const shown = names.slice(0, limit).join(', ');
  return names.length > limit ? `${shown} and ${names.length - limit} more` : shown;
}
