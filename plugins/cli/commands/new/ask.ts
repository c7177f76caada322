import { type CommandInvocation, excerpt, ToolkitError } from '../../../../kernel/index.ts';
import { type Choice, type Prompts, prompts } from '../../../shared/terminal/prompts.ts';
import { plainLine } from './fill-template.ts';

/** Minimum length of a description in characters; `toolkit validate` warns below it. */
const shortestDescription = 20;

/** Sources of a value, in order: the command line, a prompt at a terminal, a default. */
export interface Ask {
  /** Returns a valid name. `problemOf` completes the sentence "The name …". Throws INVALID_PARAMETERS, also without a name. */
  name(given: string | undefined, question: string, example: string, problemOf: (name: string) => string | undefined): Promise<string>;
  /** Returns a valid text. `problemOf` completes a sentence, as for a name. */
  text(given: string | undefined, question: string, byDefault: string, problemOf: (text: string) => string | undefined): Promise<string>;
  /** Throws INVALID_PARAMETERS. */
  refuse(message: string): never;
  select<T extends string>(given: T | undefined, question: string, choices: readonly Choice<T>[], byDefault: T): Promise<T>;
}

export async function askFor({ terminal }: CommandInvocation): Promise<Ask> {
  const terminalPrompts: Prompts | undefined = terminal.isInteractive ? await prompts(terminal) : undefined;
  const checkText = (what: string, problemOf: (value: string) => string | undefined) => (value: string) => {
    const problem = problemOf(value.trim());
    return problem === undefined ? undefined : `${what} ${problem}.`;
  };
  const checked = (value: string, problem: string | undefined): string => {
    if (problem !== undefined) throw badAnswer(problem);
    return value.trim();
  };
  return {
    async name(given, question, example, problemOf) {
      if (given !== undefined) return checked(given, checkText(`"${excerpt(given, 100)}"`, problemOf)(given));
      if (terminalPrompts === undefined)
        throw badAnswer(`There is no name, and no terminal to ask at. Write it behind the command, such as ${example}.`);
      return (await terminalPrompts.text(`${question}, such as ${example}`, { check: checkText('The name', problemOf) })).trim();
    },
    async text(given, question, byDefault, problemOf) {
      if (given !== undefined) return checked(given, checkText(`"${excerpt(given, 100)}"`, problemOf)(given));
      return terminalPrompts === undefined
        ? byDefault
        : (await terminalPrompts.text(question, { byDefault, check: checkText('It', problemOf) })).trim();
    },
    refuse(message) {
      throw badAnswer(message);
    },
    async select(given, question, choices, byDefault) {
      return given ?? (await terminalPrompts?.select(question, choices, byDefault)) ?? byDefault;
    },
  };
}

function badAnswer(message: string): ToolkitError {
  return new ToolkitError('INVALID_PARAMETERS', message);
}

/** Returns the problem of a description for a model; undefined when it is fine. */
export function problemOfDescription(text: string): string | undefined {
  if ([...plainLine(text)].length >= shortestDescription) return undefined;
  return `is too short. Say in at least ${shortestDescription} characters what it does and when to choose it`;
}
