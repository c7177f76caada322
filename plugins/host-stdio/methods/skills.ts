import Type from 'typebox';
import { didYouMean, ToolkitError } from '../../../kernel/index.ts';
import { type Method, method } from './method.ts';

export const skillMethods: Readonly<Record<string, Method>> = {
  'skills/list': method({}, (_params, { toolkit }) => ({
    skills: [...toolkit.kernel.registry.skills.values()].map(({ name, description }) => ({ name, description })),
  })),
  'skills/get': method({ name: Type.String() }, ({ name }, { toolkit }) => {
    const { skills } = toolkit.kernel.registry;
    const skill = skills.get(name);
    if (skill !== undefined) return { name: skill.name, description: skill.description, text: skill.text };
    throw new ToolkitError('NOT_FOUND', `There is no skill "${name}".${didYouMean(name, skills.keys())}`);
  }),
};
