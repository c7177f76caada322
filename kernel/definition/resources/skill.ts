import path from 'node:path';
import Type, { type Static } from 'typebox';
import { checkDefinition } from '../check/check-definition.ts';
import type { Origin } from '../schema/origin.ts';
import type { Problem } from '../schema/problem.ts';

/** The front matter of a SKILL.md (Agent Skills specification). */
export const SkillSchema = Type.Object(
  {
    name: Type.String({ pattern: '^[a-z0-9]+(-[a-z0-9]+)*$', maxLength: 64 }),
    /** The purpose of the skill, and when to load it. */
    description: Type.String({ minLength: 1, maxLength: 1024 }),
    license: Type.Optional(Type.String()),
    /** The requirements of the skill: programs, packages, network. */
    compatibility: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
    metadata: Type.Optional(Type.Record(Type.String(), Type.Union([Type.String(), Type.Number(), Type.Boolean()]))),
    /** Tools that the skill may use unasked, separated by spaces. Shown, not enforced. */
    'allowed-tools': Type.Optional(Type.String()),
  },
  { additionalProperties: false, patternProperties: { '^x-': {} } },
);

/** Instructions that teach a model how to use tools well. */
export interface Skill extends Static<typeof SkillSchema> {
  /** The text of the whole file, including the front matter. */
  readonly text: string;
  readonly origin: Origin;
}

/** Checks the front matter of a skill. Returns problems instead of `skill` for an invalid one. */
export function checkSkill(frontMatter: unknown, text: string, origin: Origin): { skill?: Skill; problems: readonly Problem[] } {
  const { value, problems } = checkDefinition<Static<typeof SkillSchema>>(SkillSchema, frontMatter, origin);
  if (value === undefined) return { problems };
  const folder = origin.file === undefined ? value.name : path.basename(path.dirname(origin.file));
  const skill = { ...value, text, origin };
  if (value.name === folder) return { skill, problems };
  const position = origin.locate?.('/name');
  const misplaced: Problem = {
    severity: 'warning',
    code: 'TOOL_INVALID',
    plugin: origin.plugin,
    path: 'name',
    message: `is "${value.name}", but the folder is "${folder}". The two must be equal for other programs to find the skill; rename one`,
    ...(origin.file === undefined ? {} : { file: origin.file }),
    ...(position === undefined ? {} : { position }),
  };
  return { skill, problems: [...problems, misplaced] };
}
