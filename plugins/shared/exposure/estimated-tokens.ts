/** UTF-16 units for each token of a listing, as `o200k_base` counts them. */
const unitsEach = 4.1;

/** About how many tokens a text in English, or a JSON Schema with such texts, takes: within 10 percent for a whole listing. */
export function estimatedTokens(text: string): number {
  return Math.round(text.length / unitsEach);
}
