import type { Skill } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';

interface SkillMatches {
  readonly skills: readonly { readonly name: string; readonly description: string; readonly score: number }[];
}

/** Returns the best matching skills by name, description and text. Builds an index for each search, because there are few skills. */
export async function searchSkills(
  { query, limit }: { readonly query: string; readonly limit: number },
  { tools }: FunctionContext,
): Promise<SkillMatches> {
  const { default: Index } = await import('minisearch');
  const skills = tools.skills();
  const index = new Index<Pick<Skill, 'name' | 'description' | 'text'> & { id: number }>({
    fields: ['name', 'description', 'text'],
    searchOptions: {
      boost: { name: 4, description: 2 },
      prefix: (term) => term.length > 2,
      fuzzy: (term) => (term.length > 4 ? 0.2 : false),
    },
  });
  index.addAll(skills.map(({ name, description, text }, id) => ({ id, name, description, text })));
  const found = index.search(query).flatMap(({ id, score }) => {
    const skill = skills[id as number];
    return skill === undefined ? [] : [{ name: skill.name, description: skill.description, score: Number(score.toPrecision(4)) }];
  });
  return { skills: found.slice(0, limit) };
}
