import { mediaTypesOf } from './media-type.ts';
import { isTrue, memberOf } from './members.ts';
import type { RequestBody } from './operation.ts';
import type { ListedParameter } from './parameter-list.ts';
import { collectionStyle } from './parameter-style.ts';
import type { OperationContext } from './read-context.ts';

/** Members of a form parameter of 2.0 that are no part of its schema. */
const notSchema = new Set(['name', 'in', 'required', 'collectionFormat', 'allowEmptyValue']);

const formTypes = ['multipart/form-data', 'application/x-www-form-urlencoded'];

/**
 * Returns the form that parameters of 2.0 describe. Its schema is an object made of them; it has a place of its own below the operation, at
 * `requestBody/schema`, which no reference names.
 */
export function formBody(context: OperationContext, form: readonly ListedParameter[]): RequestBody {
  const properties: Record<string, unknown> = Object.fromEntries(form.map(({ name, located }) => [name, memberSchema(located.value)]));
  const required = form.filter(({ located }) => isTrue(located.value, 'required')).map(({ name }) => name);
  const { base, pointer } = context.located;
  const schema = {
    value: { type: 'object', properties, ...(required.length === 0 ? {} : { required }) },
    base,
    pointer: `${pointer}/requestBody/schema`,
  };
  const lists = form.filter(({ located }) => memberOf(located.value, 'type') === 'array');
  const encoding = Object.fromEntries(lists.map(({ name, located }) => [name, collectionStyle(context, name, 'form', located.value)]));
  const hasFile = form.some(({ located }) => memberOf(located.value, 'type') === 'file');
  const consumed = mediaTypesOf(context, 'consumes').filter((type) => formTypes.includes(type));
  const types = hasFile ? ['multipart/form-data'] : consumed.length === 0 ? ['application/x-www-form-urlencoded'] : consumed;
  return { isRequired: required.length > 0, contents: types.map((mediaType) => ({ mediaType, schema, encoding, examples: [] })) };
}

/** Returns the schema of a form parameter. `type: file` becomes binary text, as 3.0 writes it. */
function memberSchema(value: unknown): Record<string, unknown> {
  const members = Object.entries(value as object).filter(([name]) => !notSchema.has(name));
  const schema = Object.fromEntries(members);
  return schema['type'] === 'file' ? { ...schema, type: 'string', format: 'binary' } : schema;
}
