import type { LaunchFacts, ProgramEnd } from '../../kernel/index.ts';

/** A sentence on control files that a run made: they are not where it made them any more. */
export function quarantineNote(moved: readonly string[], folder: string): string {
  const shown = moved.slice(0, 10).map((file) => `"${file}"`);
  const more = moved.length > shown.length ? ` and ${moved.length - shown.length} more` : '';
  return `The program made control files, which tools may not: ${shown.join(', ')}${more} ${moved.length === 1 ? 'was' : 'were'} moved to ${folder}.`;
}

/** Words by which programs say that a place is for reading only (EROFS), or that there is no network. */
const readOnlyWords = /read-only file system|EROFS/i;
const networkWords =
  /could not resolve host|name resolution|network is unreachable|ENOTFOUND|EAI_AGAIN|ENETUNREACH|no address associated|connection refused|ECONNREFUSED/i;

/** Sentences that say which key of the definition opens what a failed program ran into. */
export function rightsNotes({ exitCode, text }: ProgramEnd, { network, writes }: Pick<LaunchFacts, 'network' | 'writes'>): string[] {
  if (exitCode === 0) return [];
  const missing = (['git', 'packages'] as const).filter((right) => !writes.includes(right));
  const readOnly =
    readOnlyWords.test(text) && missing.length > 0
      ? [
          `In the sandbox control files are read-only: "writes: [git]" in the execution of its definition opens .git, "writes: [packages]" node_modules and site-packages, and "tools" of sandbox-bwrap does for a tool that is not yours.`,
        ]
      : [];
  const offline =
    networkWords.test(text) && !network
      ? [
          'In the sandbox there is no network: "network: true" in the execution of its definition, or in "tools" of sandbox-bwrap, opens it.',
        ]
      : [];
  return [...readOnly, ...offline];
}
