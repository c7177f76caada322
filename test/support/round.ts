/** Long rounds of tests are short unless they are asked for whole: `npm run test:suite core:whole` and `git:whole`. */
export const isWholeRound = process.env['TOOLKIT_ROUNDS'] === 'whole';

/** How many there are of something. */
export function inRound(counts: { readonly whole: number; readonly short: number }): number {
  return isWholeRound ? counts.whole : counts.short;
}

/** Of a short round every so many of the cases. Where they come in an order that repeats, a number that shares no factor with it meets each kind. */
export function everyNth<Case>(cases: readonly Case[], nth: number): readonly Case[] {
  return isWholeRound ? cases : cases.filter((_, index) => index % nth === 0);
}
