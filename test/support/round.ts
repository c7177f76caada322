/** Long rounds of tests are short unless they are asked for whole: `npm run test:suite core:whole` and `git:whole`. */
export const isWholeRound = process.env['TOOLKIT_ROUNDS'] === 'whole';

/** Returns the count for this round. */
export function inRound(counts: { readonly whole: number; readonly short: number }): number {
  return isWholeRound ? counts.whole : counts.short;
}

/** Returns every nth case in a short round. For cases in a repeating order, an nth without a common factor meets each kind. */
export function everyNth<Case>(cases: readonly Case[], nth: number): readonly Case[] {
  return isWholeRound ? cases : cases.filter((_, index) => index % nth === 0);
}
