import { isPlainObject, type Tool } from '../../../../kernel/index.ts';
import { listTool } from '../tool-listing.ts';
import { collectInput, type ListedInput, type Profile, type Refusal, refusalsBy } from './profile.ts';
import { profiles } from './profiles.ts';

/** Maximum schemas checked in one definition. Definitions are foreign input, and other calls wait during the check. */
const maxSchemas = 2000;

/** Returns the refusals of a listed tool by each profile. */
export function refusalsOf(tool: ListedInput): readonly (Refusal & { readonly by: Profile })[] {
  const read = collectInput(tool, maxSchemas);
  return profiles.flatMap((by) => refusalsBy(by, read).map((refusal) => ({ ...refusal, by })));
}

/**
 * Reports refusals at the tool's definition, once for each pointer and reason. Walks the schema once for each rule: for checks, not for
 * starts.
 */
export function reportRefusals(tool: Tool, report: (pointer: string, message: string) => void): void {
  const { name, inputSchema } = listTool(tool, 'none');
  const refusals = new Map<string, { readonly pointer: string; readonly message: string; readonly by: string[] }>();
  for (const { pointer, message, by } of refusalsOf({ name, inputSchema })) {
    const known = refusals.get(`${pointer} ${message}`);
    if (known === undefined) refusals.set(`${pointer} ${message}`, { pointer, message, by: [by.name] });
    else known.by.push(by.name);
  }
  for (const { pointer, message, by } of refusals.values())
    report(inDefinition(tool, pointer), `is refused by ${by.join(', ')}: ${message}`);
}

/** Maps a pointer in the listed tool to one in its definition. */
function inDefinition({ definition }: Tool, pointer: string): string {
  const [, schemaPointer] = /^\/inputSchema(.*)$/.exec(pointer) ?? [];
  if (schemaPointer === undefined) return pointer;
  return isPlainObject(definition.input_schema)
    ? `/input_schema${schemaPointer}`
    : `/parameters${schemaPointer.replace(/^\/properties/, '')}`;
}
