import type { Located } from '../document/resolve.ts';
import { examplesOf } from './examples.ts';
import { mediaTypeOf } from './media-type.ts';
import { defined, isTrue, memberOf, shortText, textOf } from './members.ts';
import type { OperationParameter, ParameterPlace } from './operation.ts';
import type { ListedParameter } from './parameter-list.ts';
import { parameterStyle } from './parameter-style.ts';
import { type PathTemplate, plainName } from './path-template.ts';
import { membersOf, type OperationContext } from './read-context.ts';

/** Headers that are no parameters: body, answer and security decide them (OAS 3.0.4, Parameter Object). */
const ignoredHeaders = new Set(['accept', 'content-type', 'authorization']);

/** The parameters of an operation, and the path in which their names stand. */
export interface PathParameters {
  readonly path: string;
  readonly parameters: readonly OperationParameter[];
}

/** Returns the parameters in path, query, headers and cookies. Those that the path names and no parameter declares are added. */
export function readParameters(context: OperationContext, listed: readonly ListedParameter[], template: PathTemplate): PathParameters {
  const found = new Map<string, OperationParameter>();
  const set = (parameter: OperationParameter): unknown => found.set(`${parameter.in} ${parameter.name}`, parameter);
  for (const { name, in: place, located } of listed) {
    if (place === 'body' || place === 'formdata') continue;
    if (place === 'header' && ignoredHeaders.has(name.toLowerCase())) noteIgnored(context, name, located);
    else set(readParameter(context, name, place as ParameterPlace, located));
  }
  for (const { name, sentAs, isRequired } of template.queryNames) {
    const declared = found.get(`path ${name}`);
    if (found.has(`query ${sentAs}`) || (declared === undefined && found.has(`query ${name}`))) continue;
    if (declared === undefined)
      context.note(`the query of the path has {${shortText(name, 60)}}, which no parameter declares: added as text`);
    found.delete(`path ${name}`);
    set({ ...(declared ?? addedParameter(name, 'query')), name: sentAs, in: 'query', isRequired, style: 'form', explode: true });
  }
  let { path } = template;
  for (const name of template.names) {
    if (found.has(`path ${name}`)) continue;
    const plain = plainName(name);
    if (plain !== '') path = path.replaceAll(`{${name}}`, `{${plain}}`);
    if (found.has(`path ${plain}`)) continue;
    context.note(`the path has {${shortText(name, 60)}}, which no parameter declares: added as required text`);
    set(addedParameter(plain === '' ? name : plain, 'path'));
  }
  const parameters = [...found.values()].filter(({ name, in: place }) => {
    const isUsed = place !== 'path' || path.includes(`{${name}}`);
    if (!isUsed) context.note(`path parameter "${shortText(name, 60)}" is not in the path: ignored`);
    return isUsed;
  });
  return { path, parameters };
}

function noteIgnored({ located, root, note }: OperationContext, name: string, parameter: Located): void {
  const isCredential = name.toLowerCase() === 'authorization';
  const hasSecurity = [located, root].some(({ value }) => memberOf(value, 'security') !== undefined);
  if (isCredential ? !hasSecurity : isTrue(parameter.value, 'required') && name.toLowerCase() === 'accept') {
    const advice = isCredential ? '. The operation names no security scheme: add one by an overlay' : '';
    note(`header parameter "${name}" is ignored (OAS 3, Parameter Object)${advice}`);
  }
}

function readParameter(context: OperationContext, name: string, place: ParameterPlace, located: Located): OperationParameter {
  const { value } = located;
  const content = membersOf(context, context.opened.resolver.at(located, 'content'))
    .map(([type, member]) => ({ mediaType: mediaTypeOf(type), member }))
    .find(({ mediaType }) => mediaType !== undefined);
  const schema = schemaOf(context, content?.member ?? located);
  return defined<OperationParameter>({
    name,
    in: place,
    description: textOf(value, 'description'),
    isRequired: place === 'path' || isTrue(value, 'required'),
    isDeprecated: isTrue(value, 'deprecated'),
    schema,
    mediaType: content?.mediaType,
    ...parameterStyle(context, name, place, value),
    allowReserved: isTrue(value, 'allowReserved'),
    examples:
      content === undefined ? examplesOf(context, located) : [...examplesOf(context, located), ...examplesOf(context, content.member)],
  });
}

/** Members of a parameter of 2.0 that say that it is a schema itself. */
const schemaMembers = ['type', 'enum', 'items', 'format'];

/** Returns the `schema` of a parameter, media type or header, or itself where it is one (2.0). */
export function schemaOf({ opened }: OperationContext, located: Located): Located | undefined {
  const schema = opened.resolver.at(located, 'schema');
  if (schema !== undefined) return schema;
  return schemaMembers.some((name) => memberOf(located.value, name) !== undefined) ? located : undefined;
}

function addedParameter(name: string, place: ParameterPlace): OperationParameter {
  return {
    name,
    in: place,
    isRequired: true,
    isDeprecated: false,
    style: place === 'path' ? 'simple' : 'form',
    explode: place !== 'path',
    allowReserved: false,
    examples: [],
  };
}
