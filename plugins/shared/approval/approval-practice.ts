import { defineFact, type Risk } from '../../../kernel/index.ts';

/**
 * A plugin's part in approvals. `person`: a person is asked about all calls of at least this risk. `gate`: `requires_approval` is enforced, in this
 * mode, which is the default unless the operator chose it. `rules`: rules of the operator may ask or deny.
 */
export type ApprovalPractice =
  | { readonly kind: 'person'; readonly minRisk: Risk }
  | { readonly kind: 'gate'; readonly mode: 'flag' | 'elicit' | 'strict'; readonly isDefault: boolean }
  | { readonly kind: 'rules' };

/** Stated by each plugin that asks for approval or demands it. */
export const approvalPractice = defineFact<ApprovalPractice>('approval practice');
