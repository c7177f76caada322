import { isPlainObject } from '../../../../kernel/index.ts';
import { everySchema } from '../subschemas.ts';

/** Maximum schemas that are read. A schema with more has references, or is too long to be listed as it is. */
const maxSchemas = 2000;

/** True for a schema with a reference at any depth. */
export function hasReferences(schema: unknown): boolean {
  const all = everySchema(schema, '', maxSchemas);
  return all.length >= maxSchemas || all.some(({ schema: one }) => isPlainObject(one) && typeof one['$ref'] === 'string');
}
