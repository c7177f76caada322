/** Maximum content of one listing of a source. */
export const sourceLimits = {
  /** Tools, providers, resources, templates and prompts together. */
  items: 10_000,
  /** Characters of one definition. */
  itemLength: 1_000_000,
  /** Characters of one provider, which has the schemas of all its tools: those of Kubernetes have 4,000,000, of the largest APIs 12,000,000. */
  providerLength: 24_000_000,
  /** Characters of all definitions together. */
  length: 64_000_000,
  /** Reported problems of one listing. */
  problems: 100,
} as const;
