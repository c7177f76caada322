import { isPlainObject, type Tool } from '../../../../kernel/index.ts';
import { listTool } from '../tool-listing.ts';
import { type ListedInput, type Profile, type Refusal, readInput, refusalsBy } from './profile.ts';
import { profiles } from './profiles.ts';

/** Schemas in one definition that are looked at: somebody else may have written it, and others wait meanwhile. */
const mostSchemas = 2000;

/** What each profile refuses in a tool as it is listed. */
export function refusalsOf(tool: ListedInput): readonly (Refusal & { readonly by: Profile })[] {
  const read = readInput(tool, mostSchemas);
  return profiles.flatMap((by) => refusalsBy(by, read).map((refusal) => ({ ...refusal, by })));
}

/**
 * The same about the definition of a tool, once for each place and reason. It walks through the schema once for each rule: for checks, not
 * for a start.
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

/** Where a place of the listed tool is written. */
function inDefinition({ definition }: Tool, pointer: string): string {
  const [, place] = /^\/inputSchema(.*)$/.exec(pointer) ?? [];
  if (place === undefined) return pointer;
  return isPlainObject(definition.input_schema) ? `/input_schema${place}` : `/parameters${place.replace(/^\/properties/, '')}`;
}
