import path from 'node:path';
import { isPlainObject, type JsonObject, type JsonValue } from '../../../../kernel/index.ts';
import { yaml } from '../../../shared/definition-files/yaml-library.ts';
import { schemaPath } from '../../../shared/project/schema-path.ts';
import type { GeneratedSource, GeneratedTool } from '../../generate/generated.ts';

export interface EjectedFile {
  /** Absolute. */
  readonly file: string;
  readonly text: string;
  readonly what: string;
}

/**
 * Returns the files of one tool with a name of its own: its definition, with all schemas to which it refers, and the provider with its address and
 * credentials.
 */
export function ejectedFiles(
  tool: GeneratedTool,
  { provider }: GeneratedSource,
  source: string,
  name: string,
  into: string,
): readonly EjectedFile[] {
  const own = `my_${source}`.replaceAll('-', '_');
  const folder = path.join(into, own);
  const { $defs: shared, ...rest } = provider;
  const schemas = isPlainObject(shared) ? (shared as JsonObject) : {};
  const [input, output] = [whole(tool.definition['input_schema'], schemas), whole(tool.definition['output_schema'], schemas)];
  const definition = {
    ...tool.definition,
    name,
    ...(input === undefined ? {} : { input_schema: input }),
    ...(output === undefined ? {} : { output_schema: output }),
  };
  const ownProvider = { ...rest, provider: { ...(isPlainObject(rest['provider']) ? rest['provider'] : {}), name: own } };
  const heading = `Ejected from ${tool.operation.method} ${tool.operation.path} of the source "${source}". Yours to change.`;
  return [
    { file: path.join(folder, `${fileName(name, own)}.yaml`), text: yamlText(folder, 'tool', heading, definition), what: 'the tool' },
    {
      file: path.join(folder, 'definition.yaml'),
      text: yamlText(folder, 'provider', `Address and credentials, as the source "${source}" has them.`, ownProvider),
      what: 'its provider',
    },
  ];
}

function fileName(name: string, provider: string): string {
  return name.startsWith(`${provider}_`) ? name.slice(provider.length + 1) : name;
}

function yamlText(folder: string, schema: 'tool' | 'provider', heading: string, value: unknown): string {
  // A line break of a document would end the comment.
  const comment = heading.replace(/\s+/g, ' ');
  return `# yaml-language-server: $schema=${schemaPath(folder, schema)}\n# ${comment}\n${yaml().stringify(value, { lineWidth: 120 })}`;
}

/** Returns a schema with the shared schemas to which it refers, directly and by others. */
function whole(schema: unknown, shared: JsonObject): JsonObject | undefined {
  if (!isPlainObject(schema)) return undefined;
  const reached = new Set<string>();
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) part.forEach(visit);
    else if (isPlainObject(part))
      for (const [key, member] of Object.entries(part)) {
        const name = key === '$ref' && typeof member === 'string' ? /^#\/\$defs\/([^/]+)/.exec(member)?.[1] : undefined;
        if (name !== undefined && Object.hasOwn(shared, name)) reached.add(name);
        visit(member);
      }
  };
  visit(schema);
  // The loop also visits what is added meanwhile.
  for (const name of reached) visit(shared[name]);
  if (reached.size === 0) return schema as JsonObject;
  const own = isPlainObject(schema['$defs']) ? schema['$defs'] : {};
  const added = Object.fromEntries([...reached].map((name) => [name, shared[name] as JsonValue]));
  return { ...schema, $defs: { ...added, ...own } } as JsonObject;
}
