import {
  type ApprovalDetails,
  type Approvals,
  type CommandInvocation,
  describeValue,
  isPlainObject,
  readJson,
  ToolkitError,
} from '../../../kernel/index.ts';
import { paint } from '../../shared/terminal/paint.ts';
import { jsonText } from '../../shared/text/json-text.ts';
import { terminalText } from '../../shared/text/visible-text.ts';
import { accountDecider } from './account-decider.ts';
import { toApprovalJson } from './approval-format.ts';
import { confirm, noteScreen } from './confirm.ts';
import { detailsText } from './details-text.ts';
import { requireWaiting } from './outcome-text.ts';
import { shownLines, valueLines } from './shown-lines.ts';

/** Replaces a question by one with other arguments, after both were shown and a person was asked. Tells the id and the digest of the new one. */
export async function changeArguments(invocation: CommandInvocation, approvals: Approvals, id: string): Promise<void> {
  const { flags, note, terminal, write } = invocation;
  if (flags['reason'] !== undefined)
    throw wrong('--reason belongs to a decision, and --arguments makes a new question. Leave out one of them');
  const parameters = parseArguments(String(flags['arguments']));
  const by = await accountDecider();
  const details = await approvals.get(id);
  requireWaiting(details);
  requireDigest(details, flags['digest']);
  refuseMasked(details, parameters);
  const screen = noteScreen(terminal);
  const lines = Object.entries(parameters).flatMap(([name, value]) => valueLines(name, value));
  const shown = await shownLines(lines.length === 0 ? ['none'] : lines, screen);
  note(`${await detailsText(details, screen)}\n${paint(screen, 'heading', 'With these arguments instead')}\n${shown}\n`);
  if (flags['digest'] === undefined && flags['yes'] !== true)
    await confirm(invocation, {
      question: 'Refuse it, and ask about the call with these arguments instead?',
      without: 'Add --digest with the digest that a person saw, or --yes.',
      nothing: 'Nothing was changed: the call goes on waiting for a person.',
    });
  const changed = await approvals.change(id, parameters, by);
  if (flags['json'] === true) return write(jsonText(toApprovalJson(changed)));
  const text = `The approval "${id}" is refused, and "${changed.id}" asks about "${changed.tool}" with these arguments. Nothing is approved yet: toolkit approvals approve ${changed.id} --digest ${changed.digest}`;
  write(`${terminalText(text)}\n`);
}

/** Parses the arguments. The message of its error does not repeat them: they may hold secrets. */
function parseArguments(text: string): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = readJson(text);
  } catch {
    throw wrong('--arguments is not JSON. Expected all arguments of the call, such as {"to": "ann@example.com"}');
  }
  if (isPlainObject(value)) return value;
  throw wrong(`--arguments expected a JSON object with all arguments of the call, received ${describeValue(value)}`);
}

function requireDigest({ id, digest }: ApprovalDetails, given: unknown): void {
  if (given === undefined || given === digest) return;
  throw wrong(
    `The approval "${id}" has another digest: what is asked has changed since it was shown. Look again with: toolkit approvals show ${id}`,
  );
}

/** Refuses the mask of a secret, which would be sent as it stands. */
function refuseMasked({ shown }: ApprovalDetails, parameters: Readonly<Record<string, unknown>>): void {
  const masks = JSON.stringify(shown.parameters).match(/\[secret [^\]"\\]+\]/g) ?? [];
  const given = JSON.stringify(parameters);
  const mask = masks.find((each) => given.includes(each));
  if (mask !== undefined)
    throw wrong(`The arguments hold "${mask}", which stands for a secret that is not shown. Write the value, or refuse the call`);
}

function wrong(problem: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', `Nothing was changed. ${problem}.`);
}
