import { approvedArgument, isPlainObject, type JsonSchema, type Tool } from '../../../../kernel/index.ts';
import { withoutExamples } from '../listed-schemas.ts';
import { portableSchema } from '../portable-schema.ts';
import { foreignText, isCutText } from './foreign-text.ts';
import { writeOut } from './write-out.ts';

/** Maximum UTF-16 units of a listed tool that is written out: its name, its description and its input schema as JSON. */
const maxListed = 3500;

/** Maximum UTF-16 units of the description of a tool of a source. */
const maxDescription = 400;

/** Minimum room for the schema, beside a long description of the operator's own. */
const minSchema = 1500;

/** Member of `_meta` with the name of the source whose words a listed tool has. */
export const sourceMeta = 'toolkit/source';

/** Member of `_meta` of a listed tool that is not whole: `toolkit_get_tool` shows it whole. */
export const cutMeta = 'toolkit/cut';

export interface WrittenInput {
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly isCut: boolean;
}

/** Returns the texts of a listed tool whose schema is written out. `schema`: of its arguments, with ours for an approval, which stays as it is. */
export function writtenInput(tool: Pick<Tool, 'name' | 'description' | 'origin'>, schema: JsonSchema): WrittenInput {
  const description = toolText(tool);
  const properties = isPlainObject(schema['properties']) ? schema['properties'] : {};
  const { [approvedArgument]: approval, ...members } = properties;
  const own = approval === undefined ? {} : { [approvedArgument]: approval };
  const room = maxListed - tool.name.length - description.length - JSON.stringify(own).length;
  const { schema: written, isCut } = writeOut({ ...schema, properties: members }, Math.max(room, minSchema));
  // Closes what is left: our own argument, and names that only some model APIs take.
  const inputSchema = portableSchema(withoutExamples({ ...written, properties: { ...(written['properties'] as object), ...own } }));
  return { description, inputSchema, isCut: isCut || isCutText(description) };
}

/**
 * Returns the description of a tool for a model. Words of a source are those of its document or server, and no instruction of ours: they are cut, cleaned, and shown
 * as the words of the source. This is the one place for that.
 */
export function toolText({ description, origin }: Pick<Tool, 'description' | 'origin'>, limit: number = maxDescription): string {
  const source = origin.source?.name;
  return source === undefined ? description : `From source "${source}": ${foreignText(description, limit)}`;
}
