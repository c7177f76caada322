import type { PendingChange, SourceStatus } from '../../../kernel/index.ts';

/** A withheld change with its difference. */
export interface ShownChange extends PendingChange {
  /** Digest (sha256, hex) of the change. Accepting names it, so that nothing is accepted that was not shown. */
  readonly digest: string;
  /** Lines of the difference to the accepted definition, as YAML. A new item has only added lines. */
  readonly difference: readonly { readonly kind: 'same' | 'added' | 'removed'; readonly text: string }[];
}

export interface SourcesPage {
  readonly sources: readonly SourceStatus[];
  readonly changes: readonly ShownChange[];
  /** Tools that are withheld until a person activates them, with the reason and the command that does it. */
  readonly withheldTools: readonly { readonly tool: string; readonly reason: string }[];
}

/** Accepts changes of one source, each with the digest that was shown. */
export interface AcceptChanges {
  readonly changes: readonly { readonly name: string; readonly digest: string }[];
}
