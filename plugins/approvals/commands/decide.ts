import type { Approvals, CommandInvocation } from '../../../kernel/index.ts';
import { jsonText } from '../../shared/text/json-text.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
import { deciderText, toApprovalJson } from './approval-format.ts';
import { changeArguments } from './change-arguments.ts';
import { confirm, noteScreen } from './confirm.ts';
import { decideMany } from './decide-many.ts';
import { answerOf, chosenOf, type DecisionVerb } from './decision.ts';
import { detailsText } from './details-text.ts';
import { outcomeText, requireWaiting } from './outcome-text.ts';
import { withApprovals } from './with-approvals.ts';

/** Decides the chosen records, after they were shown and a person was asked. */
export async function decide(invocation: CommandInvocation, verb: DecisionVerb): Promise<void> {
  const chosen = chosenOf(invocation, verb);
  await withApprovals(invocation, async (approvals) => {
    if (chosen.kind !== 'one') return decideMany(invocation, verb, approvals, chosen);
    if (invocation.flags['arguments'] !== undefined) return changeArguments(invocation, approvals, chosen.id);
    return decideOne(invocation, verb, approvals, chosen.id);
  });
}

async function decideOne(invocation: CommandInvocation, verb: DecisionVerb, approvals: Approvals, id: string): Promise<void> {
  const { flags, note, terminal, write } = invocation;
  const answer = await answerOf(flags, verb);
  const details = await approvals.get(id);
  requireWaiting(details);
  const digest = flags['digest'] === undefined ? details.digest : String(flags['digest']);
  if (digest === details.digest) note(`${await detailsText(details, noteScreen(terminal))}\n`);
  if (flags['digest'] === undefined && flags['yes'] !== true)
    await confirm(invocation, {
      question: `${verb.does} it?`,
      without: `Add --digest with the digest that a person saw, or --yes to ${verb.verb} whatever is asked now.`,
      nothing: 'Nothing was decided: the call goes on waiting for a person.',
    });
  const decided = await approvals.decide(id, { ...answer, digest });
  if (flags['json'] === true) return write(jsonText(toApprovalJson(decided)));
  write(`${terminalText(outcomeText(decided, deciderText(answer.by)))}\n`);
}
