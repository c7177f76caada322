import Type from 'typebox';
import {
  type ApprovalAnswer,
  approvalStatuses,
  excerpt,
  type Kernel,
  type ManyDecided,
  messageOf,
  ToolkitError,
} from '../../../kernel/index.ts';
import { checkBody, checkQuery } from './check-body.ts';
import type { Endpoint } from './endpoint.ts';

/** Maximum number of records in one page, and of one decision. */
const maxRecords = 200;

const closed = { additionalProperties: false } as const;
const digest = Type.String({ pattern: '^[0-9a-f]{64}$' });
const reason = Type.Optional(Type.String({ minLength: 1, maxLength: 1000 }));
const text = Type.Optional(Type.String({ minLength: 1, maxLength: 1024 }));

const ListQuery = Type.Object(
  {
    status: Type.Optional(Type.Enum(approvalStatuses)),
    ...{ tool: text, caller: text, tenant: text, after: text },
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: maxRecords })),
  },
  closed,
);

const Decision = Type.Object({ approve: Type.Boolean(), digest, reason, hold: Type.Optional(Type.Enum(['tool', 'arguments'])) }, closed);

const ManyDecisions = Type.Object(
  {
    approve: Type.Boolean(),
    reason,
    records: Type.Array(Type.Object({ id: Type.String({ minLength: 1, maxLength: 100 }), digest }, closed), {
      minItems: 1,
      maxItems: maxRecords,
    }),
  },
  closed,
);

const Change = Type.Object({ parameters: Type.Record(Type.String(), Type.Unknown()) }, closed);

/** The inbox: calls that wait for a person, and those that were decided. Each decision names the digest of what the person saw. */
export const approvalEndpoints: readonly Endpoint[] = [
  {
    method: 'GET',
    path: 'approvals',
    answer: ({ query }, { kernel }) => kernel.approvals.list(checkQuery(ListQuery, query)),
  },
  {
    method: 'GET',
    path: 'approvals/{id}',
    answer: ({ values }, { kernel }) => kernel.approvals.get(values['id'] ?? ''),
  },
  {
    method: 'POST',
    path: 'approvals/{id}/decide',
    answer({ by, values, body }, { kernel }) {
      const decision = checkBody(Decision, body);
      if (decision.approve && decision.hold !== undefined)
        throw new ToolkitError(
          'INVALID_PARAMETERS',
          'The body of the request is wrong: expected "hold" with a no only, received it with a yes.',
        );
      return kernel.approvals.decide(values['id'] ?? '', { ...decision, by });
    },
  },
  {
    method: 'POST',
    path: 'approvals/decide',
    answer({ by, body }, { kernel }) {
      const { records, ...answer } = checkBody(ManyDecisions, body);
      const ids = records.map(({ id }) => id);
      const twice = ids.find((id, index) => ids.indexOf(id) !== index);
      if (twice !== undefined)
        throw new ToolkitError(
          'INVALID_PARAMETERS',
          `The body of the request is wrong: expected "${twice}" once in "records", received it twice.`,
        );
      return decideEach(kernel, records, { ...answer, by });
    },
  },
  {
    method: 'POST',
    path: 'approvals/{id}/change',
    answer: ({ by, values, body }, { kernel }) => kernel.approvals.change(values['id'] ?? '', checkBody(Change, body).parameters, by),
  },
];

/** Decides one record after the other, also when the person has left the page meanwhile: each is decided for the digest that was shown. */
async function decideEach(
  { approvals }: Kernel,
  records: readonly { readonly id: string; readonly digest: string }[],
  answer: ApprovalAnswer,
): Promise<readonly ManyDecided[]> {
  const decided: ManyDecided[] = [];
  let stopped: string | undefined;
  for (const { id, digest } of records) {
    if (stopped !== undefined) {
      decided.push({ id, failure: stopped });
      continue;
    }
    try {
      decided.push({ id, approval: await approvals.decide(id, { ...answer, digest }) });
    } catch (error) {
      const failure = ToolkitError.is(error) ? error.message : excerpt(messageOf(error));
      decided.push({ id, failure });
      // Each try may take as long as the store takes to give up.
      if (ToolkitError.is(error) && error.code === 'STATE_UNAVAILABLE') stopped = `Not tried: ${failure}`;
    }
  }
  return decided;
}
