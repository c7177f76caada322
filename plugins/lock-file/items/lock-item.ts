import type { JsonObject } from '../../../kernel/index.ts';

/** The sections of this plugin in `toolkit.lock`. */
export const lockedSections = ['tools', 'plugins', 'skills'] as const;

export type LockedSection = (typeof lockedSections)[number];

/** The digests of a tool, plugin or skill. */
export interface LockedDigests {
  /** Digest of the definition: `sha256-` and base64url. */
  readonly digest: string;
  /** Digest of the code's files. Absent without code. */
  readonly code?: string;
}

/** The entries of this plugin's sections, by name. */
export type LockedEntries = Readonly<Record<LockedSection, ReadonlyMap<string, LockedDigests>>>;

/** A tool, plugin or skill as it is now. */
export interface LockItem extends LockedDigests {
  readonly section: LockedSection;
  readonly name: string;
  /** The whole served definition, as JSON. */
  definition(): JsonObject;
  /** SHA-256 of each file of its code, in hex, by its path: relative to the folder of the configuration, or to its package. */
  readonly files: ReadonlyMap<string, string>;
}

/** Returns the key of an item among all sections, such as `tools pay`. */
export function keyOfItem({ section, name }: { readonly section: string; readonly name: string }): string {
  return `${section} ${name}`;
}

/** The word for one item of a section. */
export const kindOf: Readonly<Record<LockedSection, 'tool' | 'plugin' | 'skill'>> = { tools: 'tool', plugins: 'plugin', skills: 'skill' };
