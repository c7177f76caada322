import { didYouMean, type Issue, type KnownNames, placeholdersIn } from '../../../kernel/index.ts';
import { isForm } from '../request/body-type.ts';
import { type BodyContent, bodyKeys } from './body-types.ts';
import type { HttpExecution } from './execution.ts';
import { escapePointer, issueAt } from './issue-at.ts';

/** Returns issues of `body_types` as a whole; the body of each type is checked like any other. */
export function checkBodyTypes({ body_types: bodyTypes, ...execution }: HttpExecution, names: KnownNames): readonly Issue[] {
  if (bodyTypes === undefined) return [];
  const issues: Issue[] = [];
  const report = (key: string, message: string) => issues.push(issueAt(key, message));
  const { parameter: name, types } = bodyTypes;
  const other = bodyKeys.find((key) => execution[key] !== undefined);
  if (other !== undefined) report(other, 'cannot stand beside "body_types": write it under one of "types"');
  const header = Object.keys(execution.headers ?? {}).find((key) => key.toLowerCase() === 'content-type');
  if (header !== undefined) report(`headers/${header}`, 'cannot stand beside "body_types", which sends the chosen type. Remove the header');
  for (const [type, content] of Object.entries(types)) {
    const issue = findTypeIssue(type, content);
    if (issue !== undefined) report(`body_types/types/${escapePointer(type)}`, issue);
  }
  const parameter = Object.hasOwn(names.declared, name) ? names.declared[name] : undefined;
  const parameterIssue =
    parameter === undefined
      ? `names "${name}", which is no parameter.${didYouMean(name, names.parameters)}`
      : findParameterIssue(name, parameter, Object.keys(types));
  if (parameterIssue !== undefined) report('body_types/parameter', parameterIssue);
  return issues;
}

function findTypeIssue(type: string, content: BodyContent): string | undefined {
  const given = bodyKeys.filter((key) => content[key] !== undefined);
  if (!/^[\w!#$&^.+-]+\/[\w!#$&^.+-]+(\s*;\s*[\w-]+=[^\s;]+)*$/.test(type) || placeholdersIn(type).length > 0)
    return `is named "${type}", which is no media type such as application/json`;
  if (given.length !== 1)
    return `expected one of ${bodyKeys.map((key) => `"${key}"`).join(', ')}, received ${given.join(' and ') || 'none'}`;
  if (content.form !== undefined && !isForm(type)) return 'has "form", which is sent as application/x-www-form-urlencoded';
  if (content.multipart !== undefined && !/^multipart\/form-data$/i.test(type))
    return 'has "multipart", which is sent as multipart/form-data';
  return undefined;
}

function findParameterIssue(
  name: string,
  { type, enum: values }: { readonly [key: string]: unknown },
  keys: readonly string[],
): string | undefined {
  if (type !== undefined && type !== 'string') return `names "${name}", which is not declared as a string`;
  if (!Array.isArray(values)) return undefined;
  const isSame = values.length === keys.length && keys.every((key) => values.includes(key));
  return isSame ? undefined : `names "${name}", whose "enum" is not the keys of "types": expected ${keys.join(', ')}`;
}
