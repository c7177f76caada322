import { isPlainObject, type Tool } from '../../../../kernel/index.ts';
import { listTool } from '../tool-listing.ts';
import { type ListedInput, type Profile, type Refusal, readInput, refusalsBy } from './profile.ts';
import { profiles } from './profiles.ts';

/** Maximum schemas checked in one definition. Definitions are foreign input, and other calls wait during the check. */
const mostSchemas = 2000;

/** Returns the refusals of a listed tool by each profile. */
export function refusalsOf(tool: ListedInput): readonly (Refusal & { readonly by: Profile })[] {
  const read = readInput(tool, mostSchemas);
  return profiles.flatMap((by) => refusalsBy(by, read).map((refusal) => ({ ...refusal, by })));
}

/**
 * Reports refusals at the tool's definition, once for each pointer and reason. Walks the schema once for each rule: for checks, not for
 * starts.
 */
export function reportRefusals(tool: Tool, report: (pointer: string, message: string) => void): void {
  const { name, inputSchema } = listTool(tool, 'none');
  const told = new Map<string, { readonly pointer: string; readonly message: string; readonly by: string[] }>();
  for (const { pointer, message, by } of refusalsOf({ name, inputSchema })) {
    const known = told.get(`${pointer} ${message}`);
    if (known === undefined) told.set(`${pointer} ${message}`, { pointer, message, by: [by.name] });
    else known.by.push(by.name);
  }
  for (const { pointer, message, by } of told.values()) report(inDefinition(tool, pointer), `is refused by ${by.join(', ')}: ${message}`);
}

/** Maps a pointer in the listed tool to one in its definition. */
function inDefinition({ definition }: Tool, pointer: string): string {
  const [, place] = /^\/inputSchema(.*)$/.exec(pointer) ?? [];
  if (place === undefined) return pointer;
  return isPlainObject(definition.input_schema) ? `/input_schema${place}` : `/parameters${place.replace(/^\/properties/, '')}`;
}
