import type { Problem } from '../../../kernel/index.ts';
import { type ParsedDefinition, parseDefinition, withLineFeeds } from './definition-text.ts';

/** File name of a skill. Its folder has the name of the skill (Agent Skills specification). */
export const skillFileName = 'SKILL.md';

/** Parses the front matter of a SKILL.md: the YAML between two lines of `---` at the start. Returns problems when there is none. */
export function parseSkill(text: string, file: string): ParsedDefinition | { problems: Omit<Problem, 'plugin'>[] } {
  const [, frontMatter] = /^\uFEFF?---[ \t]*(\r?\n[\s\S]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(withLineFeeds(text)) ?? [];
  // Begins with the end of the first line, so that line numbers match the file.
  if (frontMatter !== undefined) return parseDefinition(frontMatter, file);
  const message = 'expected front matter: a first line "---", then name and description, then a line "---"';
  return { problems: [{ severity: 'error', code: 'TOOL_INVALID', file, position: { line: 1, column: 1 }, message }] };
}
