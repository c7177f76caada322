import { excerpt } from '../../errors.ts';
import { attempt } from '../check/attempt.ts';
import type { Origin } from '../schema/origin.ts';
import type { Locate, Problem } from '../schema/problem.ts';
import { checked, guarded, guardedCompleter, guardedWatch, OptionalReadSchema, PromptSchema, ReadSchema } from './guarded.ts';
import type { Prompt, Resource, ResourceTemplate } from './resource.ts';
import { checkSkill, type Skill } from './skill.ts';

/** The items of a server besides its tools: skills and prompts by name, resources by URI, resource templates by URI template. */
export interface ResourcesAndPrompts {
  readonly skills: ReadonlyMap<string, Skill>;
  readonly resources: ReadonlyMap<string, Resource>;
  readonly resourceTemplates: ReadonlyMap<string, ResourceTemplate>;
  readonly prompts: ReadonlyMap<string, Prompt>;
}

/** Collects the items that plugins discover besides tools. The first of a name is used; the second becomes a problem with both owners. */
export class ResourcesAndPromptsBuilder {
  readonly #skills: { frontMatter: unknown; text: string; origin: Origin }[] = [];
  readonly #resources: OwnedEntry<Resource>[] = [];
  readonly #templates: OwnedEntry<ResourceTemplate>[] = [];
  readonly #prompts: OwnedEntry<Prompt>[] = [];

  addSkill(frontMatter: unknown, text: string, origin: Origin): void {
    this.#skills.push({ frontMatter, text, origin });
  }

  addResource(resource: Resource, plugin: string): void {
    const what = `the resource "${resource.uri}"`;
    const read: Resource['read'] = guarded(plugin, what, async (context) => checked(ReadSchema, await resource.read(context)));
    const { watch } = resource;
    const value = {
      ...resource,
      plugin,
      read,
      ...(watch === undefined ? {} : { watch: guardedWatch(plugin, what, watch.bind(resource)) }),
    };
    this.#resources.push({ key: resource.uri, value, owner: plugin });
  }

  addResourceTemplate(template: ResourceTemplate, plugin: string): void {
    const what = `the resource template "${template.uriTemplate}"`;
    const read: ResourceTemplate['read'] = guarded(plugin, what, async (...given) =>
      checked(OptionalReadSchema, await template.read(...given)),
    );
    const complete = Object.entries(template.complete ?? {}).map(
      ([name, completer]) => [name, guardedCompleter(plugin, completer)] as const,
    );
    const value = { ...template, plugin, read, ...(complete.length === 0 ? {} : { complete: Object.fromEntries(complete) }) };
    this.#templates.push({ key: template.uriTemplate, value, owner: plugin });
  }

  addPrompt(prompt: Prompt, plugin: string): void {
    const get: Prompt['get'] = guarded(plugin, `the prompt "${prompt.name}"`, async (...given) =>
      checked(PromptSchema, await prompt.get(...given)),
    );
    const list = prompt.arguments?.map(({ complete, ...rest }) => ({
      ...rest,
      ...(complete === undefined ? {} : { complete: guardedCompleter(plugin, complete) }),
    }));
    this.#prompts.push({
      key: prompt.name,
      value: { ...prompt, plugin, get, ...(list === undefined ? {} : { arguments: list }) },
      owner: plugin,
    });
  }

  build(problems: Problem[]): ResourcesAndPrompts {
    return {
      skills: unique('skill', this.#checkedSkills(problems), problems),
      resources: unique('resource', this.#resources, problems),
      resourceTemplates: unique(
        'resource template',
        this.#templates.filter((template) => isUriTemplate(template, problems)),
        problems,
      ),
      prompts: unique('prompt', this.#prompts, problems),
    };
  }

  #checkedSkills(problems: Problem[]): OwnedEntry<Skill>[] {
    const found: OwnedEntry<Skill>[] = [];
    for (const { frontMatter, text, origin } of this.#skills) {
      attempt(origin, problems, () => {
        const checked = checkSkill(frontMatter, text, origin);
        problems.push(...checked.problems);
        const { skill } = checked;
        const { plugin: owner, file, locate } = origin;
        if (skill !== undefined) found.push({ key: skill.name, value: skill, owner, file, locate });
      });
    }
    return found;
  }
}

/** True for a URI template (RFC 6570) that can be matched against a URI. Adds a problem for another one. */
function isUriTemplate({ key, owner }: OwnedEntry<ResourceTemplate>, problems: Problem[]): boolean {
  if (/^[^{}]*(\{[+#./;?&]?\w+\*?(,\w+\*?)*\}[^{}]*)+$/.test(key)) return true;
  const message = `the resource template "${excerpt(key, 100)}" cannot be understood: expected a URI with variables in braces, such as "notes://{year}/{+path}" (RFC 6570). Correct it`;
  problems.push({ severity: 'error', code: 'TOOL_INVALID', plugin: owner, message });
  return false;
}

interface OwnedEntry<T> {
  readonly key: string;
  readonly value: T;
  /** The plugin of the item. */
  readonly owner: string;
  readonly file?: string | undefined;
  readonly locate?: Locate | undefined;
}

/** Returns one entry for each key, in a stable order. */
function unique<T>(kind: string, entries: readonly OwnedEntry<T>[], problems: Problem[]): ReadonlyMap<string, T> {
  const found = new Map<string, OwnedEntry<T>>();
  for (const entry of entries) {
    const twin = found.get(entry.key);
    if (twin === undefined) found.set(entry.key, entry);
    // Configured paths may overlap: the same file is read twice.
    else if (entry.file === undefined || entry.file !== twin.file) problems.push(duplicate(kind, entry, twin));
  }
  return new Map([...found].sort(([a], [b]) => (a < b ? -1 : 1)).map(([key, { value }]) => [key, value]));
}

function duplicate(kind: string, { key, owner, file, locate }: OwnedEntry<unknown>, first: OwnedEntry<unknown>): Problem {
  const position = locate?.('/name');
  const place = (of: Pick<OwnedEntry<unknown>, 'owner' | 'file'>) => of.file ?? `plugin ${of.owner}`;
  return {
    severity: 'error',
    code: 'TOOL_DUPLICATE',
    plugin: owner,
    message: `the ${kind} "${key}" is already defined by ${place(first)}; that one is used. Rename one of the two (${place({ owner, file })} is the other)`,
    ...(file === undefined ? {} : { file }),
    ...(position === undefined ? {} : { position }),
  };
}
