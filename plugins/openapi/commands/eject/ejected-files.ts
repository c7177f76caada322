import path from 'node:path';
import { isPlainObject, type JsonObject, ToolkitError } from '../../../../kernel/index.ts';
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
  const definition = { ...tool.definition, name, ...reachedSchemas(tool.definition, isPlainObject(shared) ? (shared as JsonObject) : {}) };
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

/** Returns the shared schemas to which a definition refers, directly and by others. */
function reachedSchemas(definition: JsonObject, shared: JsonObject): { readonly $defs?: JsonObject } {
  const reached = new Set<string>();
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) part.forEach(visit);
    else if (isPlainObject(part))
      for (const [key, member] of Object.entries(part)) {
        if (key === '$ref' && typeof member === 'string') reached.add(member.replace(/^#\/\$defs\//, ''));
        else visit(member);
      }
  };
  visit(definition);
  // The loop also visits what is added meanwhile.
  for (const name of reached) if (Object.hasOwn(shared, name)) visit(shared[name]);
  const found = [...reached].filter((name) => Object.hasOwn(shared, name));
  const missing = [...reached].find((name) => !Object.hasOwn(shared, name) && !isOwn(definition, name));
  if (missing !== undefined)
    throw new ToolkitError('EXECUTION_FAILED', `The tool refers to the schema "${missing.slice(0, 100)}", which its source does not have.`);
  return found.length === 0 ? {} : { $defs: Object.fromEntries(found.map((name) => [name, shared[name] as JsonObject])) };
}

function isOwn({ $defs }: JsonObject, name: string): boolean {
  return isPlainObject($defs) && Object.hasOwn($defs, name);
}
