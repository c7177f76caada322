import { type Kernel, ToolkitError } from '../../kernel/index.ts';
import { approvalWays, refuseTooFewNames } from '../shared/approval/approval-ways.ts';
import type { Policy } from './policy.ts';

/** Refuses rules with more approvers than the configuration has names. Checks nothing until every plugin is applied. */
export class ApproversCheck {
  readonly #kernel: () => Kernel;
  #hasBegun = false;

  constructor(kernel: () => Kernel) {
    this.#kernel = kernel;
  }

  begin(): void {
    this.#hasBegun = true;
  }

  /** Throws PLUGIN_INVALID for a rule that could never be satisfied, or that no plugin would enforce. */
  check({ demanding }: Policy): void {
    if (!this.#hasBegun) return;
    for (const { label, approvers = 1 } of demanding) {
      const kernel = this.#kernel();
      const by = `"approvers" of ${label}`;
      if (!kernel.approvals.areKept)
        throw new ToolkitError(
          'PLUGIN_INVALID',
          `Plugin "policy-rules": ${by} demands ${approvers} approvers, and no plugin counts them. Add approvals(), which is part of standard(), or remove approvers.`,
          { plugin: 'policy-rules', approvers },
        );
      refuseTooFewNames(kernel.facts(approvalWays), approvers, { plugin: 'policy-rules', by, kind: 'rule' });
    }
  }
}
