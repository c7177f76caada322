import Type, { type Static } from 'typebox';
import { type DefinitionKey, didYouMean, type Issue, type PluginApi, placeholdersIn, type Tool } from '../../../kernel/index.ts';
import { build } from '../../shared/project/build.ts';

/**
 * A read request whose answer the person sees who decides about a call of this tool, such as the record that it would delete. It runs as the caller
 * of the call, and never asks a person.
 */
export const PreviewSchema = Type.Object(
  {
    /** A tool of the same provider that only reads: its risk is low, `readOnlyHint` is true, and it requires no approval. */
    tool: Type.String({ minLength: 1 }),
    /** Parameters for that tool. `{name}` is a parameter of the call. Parameters without a value are left out. */
    parameters: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
  },
  { additionalProperties: false, patternProperties: { '^x-': {} } },
);

export type Preview = Static<typeof PreviewSchema>;

/** The facts about a tool that show that it is fit for previews. */
type PreviewTool = Pick<Tool, 'name' | 'risk' | 'annotations' | 'definition' | 'origin' | 'provider'>;

/** Adds the definition key `preview`. Returns the reader of its value. */
export function definePreview({ extend }: Pick<PluginApi, 'extend'>): DefinitionKey<Preview> {
  return extend.definitionKey('preview', PreviewSchema, {
    check: (preview, { definition, parameters }) => [...issuesOfTool(preview, definition.name), ...issuesOfParameters(preview, parameters)],
    fingerprint: build,
  });
}

function issuesOfTool({ tool }: Preview, name: string): readonly Issue[] {
  if (tool !== name) return [];
  return [{ path: 'preview.tool', pointer: '/preview/tool', message: 'names the tool itself. Name one that only reads' }];
}

function issuesOfParameters({ parameters = {} }: Preview, known: Readonly<Record<string, { readonly auth?: boolean }>>): readonly Issue[] {
  return Object.entries(parameters).flatMap(([key, template]) =>
    placeholdersIn(template).flatMap((name): readonly Issue[] => {
      const message = placeholderIssue(name, known);
      if (message === undefined) return [];
      return [
        { path: `preview.parameters.${key}`, pointer: `/preview/parameters/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, message },
      ];
    }),
  );
}

function placeholderIssue(name: string, known: Readonly<Record<string, { readonly auth?: boolean }>>): string | undefined {
  const parameter = Object.hasOwn(known, name) ? known[name] : undefined;
  if (parameter === undefined) return `has the placeholder {${name}}, which is no parameter.${didYouMean(name, Object.keys(known))}`;
  if (parameter.auth === true) return `has the placeholder {${name}}, which is a credential. The read tool has its own`;
  return undefined;
}

/** Returns the reason why a tool is no preview of another one; undefined when it is fit. */
export function previewIssue(of: PreviewTool, { name, risk, annotations, definition, origin, provider }: PreviewTool): string | undefined {
  const isSameOwner =
    provider?.name === of.provider?.name &&
    origin.package?.name === of.origin.package?.name &&
    origin.source?.name === of.origin.source?.name &&
    origin.plugin === of.origin.plugin;
  if (!isSameOwner) return `"${name}" is of another provider or package: expected one of its own`;
  if (risk !== 'low' || annotations.readOnlyHint !== true) return `"${name}" may change something: expected a tool that only reads`;
  if ((definition.requires_approval ?? false) !== false) return `"${name}" requires approval itself`;
  return undefined;
}

/** A tool whose preview can only fail, and the reason. */
export interface UnfitPreview {
  readonly tool: string;
  readonly message: string;
}

/** Finds the previews that name a missing tool or one that is not fit. A definition is checked alone when it is linked, without the other tools. */
export function unfitPreviews(tools: ReadonlyMap<string, Tool>): readonly UnfitPreview[] {
  return [...tools.values()].flatMap((tool) => {
    const { preview } = tool.definition as { readonly preview?: Preview };
    if (preview === undefined) return [];
    const reader = tools.get(preview.tool);
    const message = reader === undefined ? `there is no tool "${preview.tool}"` : previewIssue(tool, reader);
    return message === undefined ? [] : [{ tool: tool.name, message }];
  });
}
