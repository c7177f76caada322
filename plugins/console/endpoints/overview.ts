import type { Kernel } from '../../../kernel/index.ts';
import { toolsWithUnverifiedApproval } from '../../shared/approval/unverified-approval.ts';
import { version } from '../../shared/project/version.ts';
import type { Session } from '../access/sessions.ts';
import type { Overview } from '../wire/state.ts';

export interface OverviewParts {
  readonly kernel: Pick<Kernel, 'approvals' | 'approvalProof' | 'facts' | 'gauges' | 'registry'>;
  readonly pollMs: number | undefined;
}

/** Returns the signed-in person with the token of the session, and what this server has. */
export async function overview({ name, csrf, expiresAt }: Session, { kernel, pollMs }: OverviewParts): Promise<Overview> {
  const waiting = await kernel.gauges.find((gauge) => gauge.name === 'approvals.waiting')?.read();
  const unasked = toolsWithUnverifiedApproval(kernel, kernel.registry.tools.values()).length;
  return {
    name,
    csrf,
    expiresAt,
    version,
    waiting: typeof waiting === 'number' ? waiting : 0,
    keepsApprovals: kernel.approvals.areKept,
    ...(unasked === 0 ? {} : { unaskedTools: unasked }),
    ...(pollMs === undefined ? {} : { pollMs }),
  };
}
