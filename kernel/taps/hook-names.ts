/** The names of all hooks, in the order of a call. A hook of `HookSignatures` that is missing here does not compile. */
export const hookNames = [
  'discover',
  'resolveSecrets',
  'injectAuth',
  'beforeExecute',
  'approve',
  'execute',
  'validateOutput',
  'settled',
  'serve',
  'dispose',
] as const;

export type HookName = (typeof hookNames)[number];

/** The signatures of hooks. Refused by the compiler when a signature has no name in `hookNames`. */
export type Listed<Signatures extends { readonly [Name in Exclude<keyof Signatures, HookName>]: never }> = Signatures;
