import type { LaunchFacts, ProgramEnd } from '../../kernel/index.ts';

/** Returns a sentence about control files that a run made and that were moved away. */
export function quarantineNote(moved: readonly string[], folder: string): string {
  const shown = moved.slice(0, 10).map((file) => `"${file}"`);
  const more = moved.length > shown.length ? ` and ${moved.length - shown.length} more` : '';
  return `The program made control files, which tools may not: ${shown.join(', ')}${more} ${moved.length === 1 ? 'was' : 'were'} moved to ${folder}.`;
}

/** Texts by which programs report a read-only file system (EROFS), or a missing network. */
const readOnlyPattern = /read-only file system|EROFS/i;
const networkPattern =
  /could not resolve host|name resolution|network is unreachable|ENOTFOUND|EAI_AGAIN|ENETUNREACH|no address associated|connection refused|ECONNREFUSED/i;

/** Returns sentences that name the definition key that grants the right a failed program lacked. */
export function rightsNotes({ exitCode, text }: ProgramEnd, { network, writes }: Pick<LaunchFacts, 'network' | 'writes'>): string[] {
  if (exitCode === 0) return [];
  const missing = (['git', 'packages'] as const).filter((right) => !writes.includes(right));
  const readOnly =
    readOnlyPattern.test(text) && missing.length > 0
      ? [
          `In the sandbox control files are read-only: "writes: [git]" in the execution of its definition opens .git, "writes: [packages]" node_modules and site-packages, and "tools" of sandbox-bwrap does for a tool that is not yours.`,
        ]
      : [];
  const offline =
    networkPattern.test(text) && !network
      ? [
          'In the sandbox there is no network: "network: true" in the execution of its definition, or in "tools" of sandbox-bwrap, opens it.',
        ]
      : [];
  return [...readOnly, ...offline];
}
