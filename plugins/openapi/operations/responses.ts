import { isPlainObject } from '../../../kernel/index.ts';
import type { Located } from '../document/resolve.ts';
import { mediaTypesOf } from './media-type.ts';
import { defined, memberOf, shortText, textOf } from './members.ts';
import type { OperationResponse } from './operation.ts';
import { schemaOf } from './parameters.ts';
import { membersOf, type OperationContext } from './read-context.ts';
import { readContents } from './request-body.ts';

type Content = OperationResponse['contents'][number];
type Header = OperationResponse['headers'][number];

/** Returns the responses of an operation. A broken one does not prevent calls: it is left out with a note. */
export function readResponses(context: OperationContext): readonly OperationResponse[] {
  const { opened, located, note } = context;
  return membersOf(context, opened.resolver.at(located, 'responses')).flatMap(([name, entry]) => {
    const status = statusOf(name);
    if (status === undefined) return [];
    const response = opened.resolver.follow(entry);
    if (typeof response === 'string') {
      note(`response ${status} is ignored: ${response}`);
      return [];
    }
    if (!isPlainObject(response.value)) return [];
    const contents: readonly Content[] =
      memberOf(response.value, 'content') === undefined
        ? producedContents(context, status, response)
        : readContents(context, response).map(({ located: _, ...content }) => content);
    return [
      defined<OperationResponse>({
        status,
        description: textOf(response.value, 'description'),
        contents,
        headers: headersOf(context, response),
      }),
    ];
  });
}

/** Returns `200`, `2XX` or `default`; undefined for another name, such as that of an extension. */
function statusOf(name: string): string | undefined {
  const status = name.trim().toUpperCase();
  if (status === 'DEFAULT') return 'default';
  return /^[1-5](\d\d|XX)$/.test(status) ? status : undefined;
}

/** Returns the contents of a response of 2.0: its schema in each media type of `produces`. */
function producedContents(context: OperationContext, status: string, response: Located): readonly Content[] {
  const schema = context.opened.resolver.at(response, 'schema');
  if (schema === undefined) return isSuccess(status) ? downloadContents(context) : [];
  const produced = mediaTypesOf(context, 'produces');
  const examples = new Map(Object.entries(asObject(memberOf(response.value, 'examples'))));
  return (produced.length === 0 ? ['application/json'] : produced).map((mediaType) => ({
    mediaType,
    schema,
    examples: examples.has(mediaType) ? [examples.get(mediaType)] : [],
  }));
}

function isSuccess(status: string): boolean {
  return /^2(?!04)/.test(status);
}

/**
 * Returns the contents of a successful response of 2.0 without a schema: none, as the standard says, unless the operation itself names only types of
 * files, as operations for downloads do.
 */
function downloadContents(context: OperationContext): readonly Content[] {
  if (memberOf(context.located.value, 'produces') === undefined) return [];
  const types = mediaTypesOf(context, 'produces');
  const isFile = types.every((type) => !/[/+](json|xml|plain|html)$/.test(type));
  return isFile ? types.map((mediaType) => ({ mediaType, examples: [] })) : [];
}

function headersOf(context: OperationContext, response: Located): readonly Header[] {
  return membersOf(context, context.opened.resolver.at(response, 'headers')).flatMap(([name, entry]) => {
    const header = context.opened.resolver.follow(entry);
    if (typeof header === 'string' || !isPlainObject(header.value)) return [];
    return [
      defined<Header>({ name: shortText(name, 100), description: textOf(header.value, 'description'), schema: schemaOf(context, header) }),
    ];
  });
}

function asObject(value: unknown): object {
  return isPlainObject(value) ? value : {};
}
