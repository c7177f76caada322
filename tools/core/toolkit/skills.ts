import { didYouMean, excerpt, type Skill, ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';

interface SkillContent {
  readonly name: string;
  readonly content: string;
  readonly sections: readonly string[];
}

interface SkillList {
  readonly skills: readonly { readonly name: string; readonly description: string; readonly uri: string }[];
}

interface Section {
  readonly heading: string;
  readonly depth: number;
  readonly start: number;
}

/** Returns the skills of a provider, or all. A skill belongs to the provider of the same name. */
export function listSkills({ provider }: { readonly provider?: string }, { tools }: FunctionContext): SkillList {
  const wanted = tools.skills().filter(({ name }) => provider === undefined || name === provider);
  return { skills: wanted.map(({ name, description }) => ({ name, description, uri: `skill://${name}/SKILL.md` })) };
}

/** Returns a skill without its front matter, or only the given `sections`, each with its subsections. Throws NOT_FOUND. */
export async function getSkill(
  { name, sections: wanted }: { readonly name: string; readonly sections?: readonly string[] },
  { tools }: FunctionContext,
): Promise<SkillContent> {
  const skill = skillOf(name, tools.skills());
  const text = skill.text.replace(/^\uFEFF?---[ \t]*\r?\n[\s\S]*?\r?\n---[ \t]*(\r?\n|$)/, '').trimStart();
  const sections = await sectionsOf(text);
  const headings = sections.map(({ heading }) => heading);
  const content = wanted === undefined ? text : wanted.map((heading) => sectionText(text, heading, sections, name)).join('\n');
  return { name, content, sections: headings };
}

function skillOf(name: string, skills: readonly Skill[]): Skill {
  const found = skills.find((skill) => skill.name === name);
  if (found !== undefined) return found;
  const known = skills.map((skill) => skill.name);
  throw new ToolkitError(
    'NOT_FOUND',
    `There is no skill "${excerpt(name, 100)}".${didYouMean(name, known)} Those there are: ${known.join(', ') || 'none'}.`,
  );
}

/** Returns the headings of a Markdown text with their offsets. Skips code that looks like a heading. */
async function sectionsOf(text: string): Promise<Section[]> {
  const { default: MarkdownIt } = await import('markdown-it');
  const lines = startsOfLines(text);
  return new MarkdownIt('commonmark').parse(text, {}).flatMap(({ type, tag, map, level }, index, tokens) => {
    if (type !== 'heading_open' || level > 0 || map === null) return [];
    return [{ heading: tokens[index + 1]?.content ?? '', depth: Number(tag.slice(1)), start: lines[map[0]] ?? text.length }];
  });
}

function startsOfLines(text: string): number[] {
  return [0, ...[...text.matchAll(/\r\n|\r|\n/g)].map((end) => end.index + end[0].length)];
}

function sectionText(text: string, wanted: string, sections: readonly Section[], name: string): string {
  const index = sections.findIndex(({ heading }) => heading.toLowerCase() === wanted.trim().toLowerCase());
  const section = sections[index];
  if (section === undefined) {
    const known = sections.map(({ heading }) => heading);
    throw new ToolkitError(
      'NOT_FOUND',
      `The skill "${name}" has no section "${excerpt(wanted, 100)}".${didYouMean(wanted, known)} Those there are: ${known.join(', ') || 'none'}.`,
    );
  }
  const end = sections.slice(index + 1).find(({ depth }) => depth <= section.depth)?.start;
  return text.slice(section.start, end);
}
