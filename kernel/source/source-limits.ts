/** Maximum content of one listing of a source. */
export const sourceLimits = {
  /** Tools, providers, resources, templates and prompts together. */
  items: 10_000,
  /** Characters of one definition. */
  itemLength: 1_000_000,
  /** Characters of all definitions together. */
  length: 64_000_000,
  /** Reported problems of one listing. */
  problems: 100,
} as const;
