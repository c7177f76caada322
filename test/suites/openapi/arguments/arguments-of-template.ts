import { isPlainObject } from '../../../../kernel/index.ts';
import type { DocumentArguments } from './document-arguments.ts';

type Json = Readonly<Record<string, unknown>>;

/** Keys of a description of how a value is written, beside `value`. */
const descriptionKeys = ['style', 'explode', 'allow_reserved', 'name', 'content_type'];

/** Parameters of a tool, in the words of its document. Knows the language of http tools, and how its templates name parameters. */
export function argumentsOfTemplate(execution: Json, given: Json, documentPath: string): DocumentArguments {
  const parameters = withEncoded(execution, given);
  const values = new Map<string, unknown>();
  const keep = (place: string, name: string, template: unknown): void => {
    const value = filled(described(template), parameters);
    if (value !== undefined) values.set(`${place} ${name}`, value);
  };
  const { path_params: styles = {} } = execution as { readonly path_params?: Json };
  for (const [name, placeholder] of pathNames(String(execution['url']), documentPath))
    keep('path', name, styles[placeholder] ?? `{${placeholder}}`);
  for (const [key, place] of Object.entries({ query_params: 'query', headers: 'header', cookies: 'cookie' }))
    for (const [name, template] of Object.entries(object(execution[key]))) keep(place, place === 'header' ? name : literal(name), template);
  return { parameters: values, ...bodyOf(execution, parameters) };
}

/** Returns parameters with those that an encoding writes as JSON, under the names that templates have for them. */
function withEncoded({ parameter_encoding: encodings }: Json, parameters: Json): Json {
  const entries = [encodings ?? []].flat().map((encoding): [string, unknown] => {
    const { source, target } = encoding as { readonly source: readonly string[]; readonly target: string };
    return [target, parameters[source[0] ?? '']];
  });
  return { ...parameters, ...Object.fromEntries(entries.filter(([, value]) => value !== undefined)) };
}

/** Returns the placeholder of each parameter of the document's path. The last placeholders of the URL are those of the path. */
function pathNames(url: string, documentPath: string): readonly (readonly [string, string])[] {
  const inPath = [...documentPath.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name);
  const inUrl = [...url.matchAll(/\{([^{}]+)\}/g)].map(([, name = '']) => name).slice(-inPath.length);
  return inPath.flatMap((name, index) => (inUrl[index] === undefined ? [] : [[name, inUrl[index]] as const]));
}

function bodyOf(execution: Json, parameters: Json): Pick<DocumentArguments, 'mediaType' | 'body'> {
  const types = execution['body_types'];
  if (isPlainObject(types)) {
    const all = object(types['types']);
    const chosen = String(parameters[String(types['parameter'])] ?? Object.keys(all)[0]);
    const isExcluded = execution['body_optional'] === true && !isNamed(bodyTemplates(object(all[chosen])), parameters);
    return isExcluded
      ? { mediaType: undefined, body: undefined }
      : { ...contentOf(object(all[chosen]), parameters), mediaType: bareType(chosen) };
  }
  const declared = Object.entries(object(execution['headers'])).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const content = contentOf(execution, parameters);
  const isAbsent = content.body === undefined || (execution['body_optional'] === true && !isNamed(bodyTemplates(execution), parameters));
  if (isAbsent) return { mediaType: undefined, body: undefined };
  return { ...content, mediaType: typeof declared === 'string' ? bareType(declared) : content.mediaType };
}

function contentOf({ body, form, multipart, body_file: file }: Json, parameters: Json): { mediaType: string | undefined; body: unknown } {
  if (form !== undefined) return { mediaType: 'application/x-www-form-urlencoded', body: members(object(form), parameters) };
  if (multipart !== undefined) return { mediaType: 'multipart/form-data', body: members(object(multipart), parameters) };
  if (file !== undefined) return { mediaType: 'application/octet-stream', body: filled(file, parameters) };
  return { mediaType: body === undefined ? undefined : 'application/json', body: filled(body, parameters) };
}

function members(template: Json, parameters: Json): Json {
  const entries = Object.entries(template).map(([name, member]): [string, unknown] => [
    literal(name),
    filled(described(member), parameters),
  ]);
  const [[name, whole] = ['', undefined]] = entries;
  // The members of a union are not known beforehand: one exploded value is all of them.
  if (entries.length === 1 && isExploded(template[name]) && isPlainObject(whole)) return whole;
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function isExploded(template: unknown): boolean {
  return isPlainObject(template) && template['style'] === 'form' && template['explode'] === true;
}

function described(template: unknown): unknown {
  if (!isPlainObject(template)) return template;
  if (Object.hasOwn(template, 'file')) return template['file'];
  const isDescription =
    Object.hasOwn(template, 'value') && Object.keys(template).every((key) => key === 'value' || descriptionKeys.includes(key));
  return isDescription ? template['value'] : template;
}

/** Fills placeholders in. What was not given is not there. */
function filled(template: unknown, parameters: Json): unknown {
  if (Array.isArray(template)) return template.map((item) => filled(item, parameters)).filter((item) => item !== undefined);
  if (isPlainObject(template)) {
    const entries = Object.entries(template).map(([name, member]): [string, unknown] => [literal(name), filled(member, parameters)]);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }
  if (typeof template !== 'string') return template;
  const [, name] = /^\{(\w+)\}$/.exec(template) ?? [];
  if (name !== undefined) return Object.hasOwn(parameters, name) ? parameters[name] : undefined;
  if (/\{(\w+)\}/.test(template.replaceAll('{{', ''))) return undefined;
  return literal(template);
}

function literal(text: string): string {
  return text.replaceAll('{{', '{').replaceAll('}}', '}');
}

function bodyTemplates({ body, form, multipart, body_file: file }: Json): unknown {
  return [body, form, multipart, file];
}

/** True where a template has a placeholder with a value. */
function isNamed(template: unknown, parameters: Json): boolean {
  return namesIn(template).some((name) => parameters[name] !== undefined);
}

function namesIn(template: unknown): readonly string[] {
  return [...JSON.stringify(template ?? null).matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
}

function bareType(mediaType: string): string {
  return (mediaType.split(';')[0] ?? '').trim().toLowerCase();
}

function object(value: unknown): Json {
  return isPlainObject(value) ? value : {};
}
