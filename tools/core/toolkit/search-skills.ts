import type { Skill } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import type { ItemFields } from '../../../plugins/shared/search/fields.ts';
import { itemIndexOf } from '../../../plugins/shared/search/tool-index.ts';

interface SkillMatches {
  readonly skills: readonly { readonly name: string; readonly description: string; readonly score: number }[];
}

/** Maximum characters of a skill's text that are read. */
const maxCharacters = 100_000;

const skillFields: ItemFields<Skill> = {
  fields: [
    { weight: 2, usualWords: 2, isName: true, text: ({ name }) => name },
    { weight: 1, usualWords: 30, text: ({ description }) => description },
    { weight: 0.4, usualWords: 300, text: ({ text }) => text.slice(0, maxCharacters) },
  ],
  nameOf: ({ name }) => name,
  intentsOf: () => [],
  descriptionOf: ({ description }) => description,
};

/** Returns the best matching skills by name, description and text. */
export async function searchSkills(
  { query, limit }: { readonly query: string; readonly limit: number },
  { tools }: FunctionContext,
): Promise<SkillMatches> {
  const skills = tools.skills();
  const index = await itemIndexOf(skills, skillFields);
  const found = (await index.search({ query, limit })).map(({ id, score }) => ({ skill: skills[id] as Skill, score }));
  return { skills: found.map(({ skill: { name, description }, score }) => ({ name, description, score: Number(score.toPrecision(4)) })) };
}
