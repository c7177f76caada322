import { checkValue, type Issue, type KnownNames, type Parameter, placeholdersIn } from '../../../kernel/index.ts';
import { acceptsValues, isForm, isJsonType, jsonKind } from '../request/body-type.ts';
import { stylesOf } from './auth.ts';
import { type BodyContent, bodyKeys } from './body-types.ts';
import { checkBodyTypes } from './check-body-types.ts';
import { encodingsOf, type HttpExecution } from './execution.ts';
import { escapePointer, issueAt } from './issue-at.ts';
import { FilePartSchema, isFilePart, loneParameter } from './multipart.ts';
import { memberIssues, partIssues } from './styled-issues.ts';

type Report = (key: string, message: string) => void;

/**
 * Returns issues for the body of a request: two bodies, a body that the method does not allow, a declared Content-Type that
 * does not fit, files that are not files, and local paths anywhere except where a file is sent.
 */
export function checkBody(execution: HttpExecution, names: KnownNames): readonly Issue[] {
  const issues: Issue[] = [...checkBodyTypes(execution, names)];
  const report: Report = (key, message) => issues.push(issueAt(key, message));
  const { body_types: bodyTypes, method } = execution;
  const [first, second] = bodyKeys.filter((key) => execution[key] !== undefined);
  if (second !== undefined) report(second, `cannot stand beside "${first}": keep one of the two`);
  const sent = bodyTypes === undefined ? first : 'body_types';
  if (sent !== undefined && (method === 'get' || method === 'head'))
    report(sent, `cannot be sent with the method "${method}". Put the values into "query_params"`);
  if (execution.body_optional === true && sent === undefined) report('body_optional', 'is about a body, which the execution does not have');
  issues.push(...contentIssues(execution, '', names));
  const headerIssue = bodyTypes === undefined ? findTypeIssue(declaredType(execution), execution, names) : undefined;
  if (headerIssue !== undefined) report(headerKey(execution) ?? 'headers', headerIssue);
  for (const [type, content] of Object.entries(bodyTypes?.types ?? {})) {
    const place = `body_types/types/${escapePointer(type)}`;
    issues.push(...contentIssues(content, `${place}/`, names));
    const { body, body_file: file } = content;
    const typeIssue = body === undefined && file === undefined ? undefined : findTypeIssue(type, content, names);
    if (typeIssue !== undefined) report(place, typeIssue);
  }
  for (const [key, part] of partsWithoutPaths(execution)) {
    const name = part.find((placeholder) => holdsPath(names.declared[placeholder]));
    if (name !== undefined)
      report(
        key,
        `puts the local path {${name}} into the request, which is no use to a service and tells it where files are. Send the file with "multipart" or "body_file"`,
      );
  }
  return issues;
}

/** Returns issues of one body. `prefix` is its place, with a slash at the end. */
function contentIssues({ form, multipart = {}, body_file: file }: BodyContent, prefix: string, names: KnownNames): readonly Issue[] {
  const issues: Issue[] = [...memberIssues(`${prefix}form`, form), ...partIssues(`${prefix}multipart`, multipart)];
  const report: Report = (key, message) => issues.push(issueAt(prefix + key, message));
  for (const [name, part] of Object.entries(multipart)) {
    if (!isFilePart(part)) continue;
    const place = `multipart/${escapePointer(name)}`;
    for (const { pointer = '', message } of checkValue(FilePartSchema, part)) report(`${place}${pointer}`, message);
    reportFile(`${place}/file`, part.file, names, report);
  }
  if (file !== undefined) reportFile('body_file', file, names, report);
  return issues;
}

function reportFile(key: string, template: string, { declared }: KnownNames, report: Report): void {
  const name = loneParameter(template);
  const parameter = name === undefined ? undefined : declared[name];
  if (name === undefined) report(key, `expected "{name}" of a parameter with "path: read", received "${template}"`);
  else if ((parameter?.path ?? parameter?.items?.path) !== 'read')
    report(key, `names {${name}}, which is no path of a file: say "path: read" on that parameter`);
}

/** Returns the sent texts that must not hold a local path, as key and placeholders. */
function partsWithoutPaths(execution: HttpExecution): readonly (readonly [string, readonly string[]])[] {
  const { url, path_params, query_params, headers, cookies, body_types: bodyTypes, auth } = execution;
  const places = Object.entries({ url, path_params, query_params, headers, cookies });
  return [
    ...places.map(([key, part]) => [key, placeholdersIn(part)] as const),
    ...textsOf(execution, ''),
    ...Object.entries(bodyTypes?.types ?? {}).flatMap(([type, content]) => textsOf(content, `body_types/types/${escapePointer(type)}/`)),
    ['auth', placeholdersIn(stylesOf(auth))],
    ['parameter_encoding', encodingsOf(execution).flatMap(({ source }) => source)],
  ];
}

function textsOf({ body, form, multipart = {} }: BodyContent, prefix: string): readonly (readonly [string, readonly string[]])[] {
  const parts = Object.values(multipart).map((part) => (isFilePart(part) ? [part.name, part.type] : part));
  return Object.entries({ body, form, multipart: parts }).map(([key, part]) => [`${prefix}${key}`, placeholdersIn(part)] as const);
}

function holdsPath(parameter: Parameter | undefined): boolean {
  if (parameter === undefined) return false;
  const { path, items, properties = {}, additionalProperties } = parameter;
  const others = typeof additionalProperties === 'object' ? [additionalProperties] : [];
  return path !== undefined || [...(items === undefined ? [] : [items]), ...Object.values(properties), ...others].some(holdsPath);
}

function headerKey({ headers = {} }: HttpExecution): string | undefined {
  const name = Object.keys(headers).find((header) => header.toLowerCase() === 'content-type');
  return name === undefined ? undefined : `headers/${name}`;
}

function declaredType({ headers = {} }: HttpExecution): string | undefined {
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  return typeof type === 'string' ? type : undefined;
}

/** Returns the issue of a declared Content-Type. A type with a placeholder is checked when the request is made. */
function findTypeIssue(type: string | undefined, content: BodyContent, { declared }: KnownNames): string | undefined {
  const { body, form, multipart, body_file: file } = content;
  if (type === undefined || placeholdersIn(type).length > 0) return undefined;
  if (multipart !== undefined) return `declares ${type}, which "multipart" writes itself, with its boundary. Remove the header`;
  if (form !== undefined)
    return isForm(type)
      ? undefined
      : `declares ${type}, but "form" is sent as application/x-www-form-urlencoded. Remove the header, or use "body"`;
  if (/^multipart\//i.test(type) && !((typeof body === 'string' || file !== undefined) && /;\s*boundary=/i.test(type)))
    return `declares ${type}, which ${body === undefined && file === undefined ? 'a request without a body' : `"${file === undefined ? 'body' : 'body_file'}"`} does not become. Write the parts under "multipart", without this header`;
  if (body === undefined) return undefined;
  const lone = typeof body === 'string' ? declared[loneParameter(body) ?? ''] : undefined;
  const isValue = typeof body !== 'string' || (lone !== undefined && isStructured(lone));
  if (isValue && !acceptsValues(type))
    return `declares ${type}, but ${typeof body === 'string' ? `"body" is ${body}, an object or list` : '"body" is an object or list'}, which is sent as JSON. Write the body as a text, or declare application/json`;
  if (typeof body === 'string' && loneParameter(body) === undefined && isJsonType(type) && jsonKind(body) === undefined)
    return `declares ${type}, but "body" is no JSON once it is filled in. Correct it, or write it as an object`;
  return undefined;
}

function isStructured({ type }: Parameter): boolean {
  return type !== undefined && [type].flat().every((name) => name === 'object' || name === 'array' || name === 'null');
}
