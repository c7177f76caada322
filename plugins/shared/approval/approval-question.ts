import type { Question } from '../../../kernel/index.ts';
import { shortened, visibleText } from '../text/visible-text.ts';
import type { HumanRequest } from './human-request.ts';

/** Characters for all parameters and what the call will run together; the whole message stays below 4,000. */
const shownLength = 3000;

/** Further ones are counted, not shown. */
const mostParameters = 40;

const callerLength = 100;
const reasonLength = 300;
const destinationLength = 300;
const pathLength = 150;

/** The one thing that a person answers. */
export const choice = 'approve';

/**
 * The question about a call, for a person to read. Everything that others wrote stands in a code block, each thing on a line that begins
 * with a word of ours or a quotation mark: it can neither end the block, nor begin a line, nor hide a part of itself.
 */
export function approvalQuestion({ tool, risk, reason, provider, caller, parameters, ...reached }: HumanRequest): Question {
  const { destination, program, folder } = reached;
  const reach = [
    ...lineFor('destination', destination, destinationLength),
    ...lineFor('program', program, pathLength),
    ...lineFor('folder', folder, pathLength),
  ];
  const { lines, warning } = shownParameters(parameters, shownLength - reach.join('\n').length);
  return {
    message: [
      `Run "${tool}"? Its risk is ${risk}.${warning}`,
      '```',
      `tool: ${tool}`,
      ...(provider === undefined ? [] : [`provider: ${provider}`]),
      `caller: ${shortened(visibleText(JSON.stringify(caller)), callerLength)}`,
      `reason: ${shortened(visibleText(reason), reasonLength)}`,
      ...reach,
      ...(lines.length === 0 ? ['parameters: none'] : ['parameters:', ...lines.map((line) => `  ${line}`)]),
      '```',
    ].join('\n'),
    schema: {
      type: 'object',
      properties: {
        [choice]: {
          type: 'boolean',
          title: 'Run it',
          description: 'Yes runs the tool once, with exactly these parameters.',
          default: false,
        },
      },
      required: [choice],
    },
  };
}

function lineFor(word: string, text: string | undefined, length: number): readonly string[] {
  return text === undefined ? [] : [`${word}: ${shortened(visibleText(text), length)}`];
}

function shownParameters(parameters: Readonly<Record<string, unknown>>, length: number): { lines: readonly string[]; warning: string } {
  const entries = Object.entries(parameters);
  const whole = entries.slice(0, mostParameters).map(([name, value]) => lineOf(name, value));
  const limit = fairLimit(
    whole.map((line) => line.length),
    length,
  );
  const tooLong = whole.filter(({ length }) => length > limit).length;
  const unseen = entries.length - whole.length;
  const notes = [...(tooLong === 0 ? [] : [`${tooLong} shortened`]), ...(unseen === 0 ? [] : [`${unseen} of ${entries.length} not shown`])];
  return {
    lines: whole.map((line) => shortened(line, limit)),
    warning: notes.length === 0 ? '' : ` Not all of its parameters fit here (${notes.join(', ')}): refuse if you must see them whole.`,
  };
}

function lineOf(name: string, value: unknown): string {
  return visibleText(`${JSON.stringify(name)}: ${JSON.stringify(value)}`);
}

/** The length to which lines are cut so that all fit: what short ones do not need goes to the long ones. */
function fairLimit(lengths: readonly number[], whole: number): number {
  let room = whole;
  let limit = room;
  for (const [index, length] of [...lengths].sort((a, b) => a - b).entries()) {
    limit = Math.floor(room / (lengths.length - index));
    if (length > limit) break;
    limit = room;
    room -= length;
  }
  return limit;
}
