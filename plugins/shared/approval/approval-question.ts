import type { Question } from '../../../kernel/index.ts';
import { shortened, visibleText } from '../text/visible-text.ts';
import type { HumanRequest, PendingChange } from './human-request.ts';

/** Maximum characters of parameters, pending changes and details of the run together. Keeps the whole message below 4,000. */
const shownLength = 3000;

/** Maximum number of parameters and pending changes shown. Further ones are counted, not shown. */
const maxShown = 40;

/** Maximum number of files and folders, and of changes, shown. They are short, and few calls have more. */
const maxFiles = 6;
const maxChanges = 2;

/** Characters that the parameters always get. */
const minParametersLength = 1000;

const callerLength = 100;
const reasonLength = 300;
const destinationLength = 300;
const pathLength = 150;
const contentLength = 200;
const changeLength = 260;
const filePathLength = 80;
const fileLength = 64;

/** The name of the only form field, a checkbox. */
export const choice = 'approve';

/**
 * Builds the question that asks a person to approve a call. Text written by others stands in a code block. Each of its lines begins with a
 * word of ours or a quotation mark, so foreign text can neither end the block, nor begin a line, nor hide a part of itself.
 */
export function approvalQuestion({ tool, risk, reason, provider, caller, parameters, activates = [], ...details }: HumanRequest): Question {
  const { destination, content, program, folder, files = {}, changed = [] } = details;
  const detailLines = [
    ...changed.slice(0, maxChanges).flatMap((change) => lineFor('changed since your answer', change, changeLength)),
    ...(changed.length > maxChanges ? [`changed since your answer: ${changed.length - maxChanges} more`] : []),
    ...lineFor('destination', destination, destinationLength),
    ...lineFor('content', content, contentLength),
    ...lineFor('program', program, pathLength),
    ...lineFor('folder', folder, pathLength),
    ...fileLines(files),
  ];
  const given = Object.entries(parameters).map(([name, value]) => lineOf(name, value));
  const { texts, warning } = shownTexts(
    [...activates.map(pendingChangeText), ...given],
    activates.length === 0 ? 'its parameters fit' : 'it fits',
    Math.max(minParametersLength, shownLength - detailLines.join('\n').length),
  );
  const shown = texts.map((text) => `  ${text}`);
  const [shownChanges, others] = [shown.slice(0, activates.length), shown.slice(activates.length)];
  return {
    message: [
      `${changed.length === 0 ? '' : 'Your answer is void, because things changed meanwhile. '}Run "${tool}"? Its risk is ${risk}.${activates.length === 0 ? '' : ' What is listed here can be called afterwards.'}${warning}`,
      '```',
      `tool: ${tool}`,
      ...(provider === undefined ? [] : [`provider: ${provider}`]),
      `caller: ${shortened(visibleText(JSON.stringify(caller)), callerLength)}`,
      `reason: ${shortened(visibleText(reason), reasonLength)}`,
      ...detailLines,
      ...(shownChanges.length === 0 ? [] : ['makes callable:', ...shownChanges]),
      ...(given.length === 0 ? ['parameters: none'] : ['parameters:', ...others]),
      '```',
    ].join('\n'),
    schema: {
      type: 'object',
      properties: {
        [choice]: {
          type: 'boolean',
          title: 'Run it',
          description: 'Yes runs the tool once, with exactly these parameters and things.',
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

function fileLines(files: Readonly<Record<string, string>>): readonly string[] {
  // A folder without a bound state has only its path to show, and that is among the parameters.
  const all = Object.entries(files).filter(([, what]) => !/^(no )?folder$/.test(what));
  const shown = all
    .slice(0, maxFiles)
    .map(
      ([path, what]) =>
        `  ${shortened(lineOf(shortened(path, filePathLength), shortened(what, fileLength)), filePathLength + fileLength + 10)}`,
    );
  const more = all.length > maxFiles ? [`  and ${all.length - maxFiles} more, which count as well`] : [];
  return all.length === 0 ? [] : ['on disk:', ...shown, ...more];
}

function shownTexts(all: readonly string[], whatFits: string, room: number): { texts: readonly string[]; warning: string } {
  const whole = all.slice(0, maxShown);
  const limit = fairLimit(
    whole.map(({ length }) => length),
    room,
  );
  const tooLong = whole.filter(({ length }) => length > limit).length;
  const unseen = all.length - whole.length;
  const notes = [...(tooLong === 0 ? [] : [`${tooLong} shortened`]), ...(unseen === 0 ? [] : [`${unseen} of ${all.length} not shown`])];
  return {
    texts: whole.map((text) => shortened(text, limit)),
    warning: notes.length === 0 ? '' : ` Not all of ${whatFits} here (${notes.join(', ')}): refuse if you must see them whole.`,
  };
}

/** Formats a pending change: one line that names it, then its text, line by line. */
function pendingChangeText({ kind, change, name, risk, file, text }: PendingChange): string {
  const head = [
    `${change} ${kind} ${JSON.stringify(name)}`,
    ...(risk === undefined ? [] : [`risk ${risk}`]),
    ...(file === undefined ? [] : [JSON.stringify(file)]),
  ];
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  return [visibleText(head.join(', ')), ...lines.map((line) => `    | ${visibleText(line)}`)].join('\n');
}

function lineOf(name: string, value: unknown): string {
  return visibleText(`${JSON.stringify(name)}: ${JSON.stringify(value)}`);
}

/** Returns the length to which texts are cut so that all fit in `whole` characters. Room that short texts leave goes to long ones. */
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
