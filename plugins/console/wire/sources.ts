import type { PendingChange, SourceStatus } from '../../../kernel/index.ts';

/** A withheld change with its difference. `definition` of a provider is without its `$defs`. */
export interface ShownChange extends Omit<PendingChange, 'accepted' | 'schemas'> {
  /** Digest (sha256, hex) of the change. Accepting names it, so that nothing is accepted that was not shown. */
  readonly digest: string;
  /** Lines of the difference to the accepted definition, as YAML. A new item has only added lines. */
  readonly difference: readonly { readonly kind: 'same' | 'added' | 'removed'; readonly text: string }[];
  /** Findings of the scanner: texts that are meant for a model and not for the reader, each as a sentence. Absent without any. */
  readonly findings?: readonly string[];
  /** True when a finding blocks it: it is accepted only if `AcceptChanges.acceptFindings` names it. */
  readonly isBlocked?: true;
}

export interface SourcesPage {
  readonly sources: readonly SourceStatus[];
  readonly changes: readonly ShownChange[];
  /** Number of further changes, which are shown when these were accepted. Absent without any. */
  readonly more?: number;
  /** Tools that are withheld until a person activates them, with the reason and the command that does it. */
  readonly withheldTools: readonly { readonly tool: string; readonly reason: string }[];
}

/** Accepts changes of one source, each with the digest that was shown. */
export interface AcceptChanges {
  readonly changes: readonly { readonly name: string; readonly digest: string }[];
  /** Names of changes that are accepted in spite of a finding that blocks them. @default none */
  readonly acceptFindings?: readonly string[];
}
