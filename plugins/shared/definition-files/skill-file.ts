import type { Problem } from '../../../kernel/index.ts';
import { type ParsedDefinition, parseDefinition, withLineFeeds } from './definition-text.ts';

/** The name of a skill's file, in the folder that has the name of the skill (Agent Skills specification). */
export const skillFileName = 'SKILL.md';

/** The front matter of a SKILL.md as a value: the YAML between two lines of `---` at the start. Or what is wrong with it. */
export function parseSkill(text: string, file: string): ParsedDefinition | { problems: Omit<Problem, 'plugin'>[] } {
  const [, frontMatter] = /^\uFEFF?---[ \t]*(\r?\n[\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(withLineFeeds(text)) ?? [];
  // It begins with the end of the first line, so that lines are counted as in the file.
  if (frontMatter !== undefined) return parseDefinition(frontMatter, file);
  const message = 'expected front matter: a first line "---", then name and description, then a line "---"';
  return { problems: [{ severity: 'error', code: 'TOOL_INVALID', file, position: { line: 1, column: 1 }, message }] };
}
