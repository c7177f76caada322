import { isPlainObject } from '../../../kernel/index.ts';
import type { Located } from '../document/resolve.ts';
import { examplesOf } from './examples.ts';
import { formBody } from './form-body.ts';
import { mediaTypeOf, mediaTypesOf } from './media-type.ts';
import { defined, isTrue, memberOf, textOf } from './members.ts';
import type { BodyContent, DocumentMethod, MemberEncoding, RequestBody, Style } from './operation.ts';
import type { ListedParameter } from './parameter-list.ts';
import { followed, membersOf, type OperationContext } from './read-context.ts';
import { UnusableOperation } from './unusable-operation.ts';

/**
 * Returns the body of an operation: `requestBody`, or the body and form parameters of 2.0. A GET or HEAD has none (RFC 9110, 9.3.1): an optional
 * one is dropped with a note. Throws `UnusableOperation` for a required one, and for a broken reference.
 */
export function readBody(context: OperationContext, method: DocumentMethod, listed: readonly ListedParameter[]): RequestBody | undefined {
  const body = describedBody(context) ?? parameterBody(context, listed);
  if (body === undefined || (method !== 'get' && method !== 'head')) return body;
  if (body.isRequired)
    throw new UnusableOperation(
      'required body of GET',
      `${context.located.pointer}: a ${method.toUpperCase()} request has no body, and this one requires it`,
    );
  context.note(`the optional body of a ${method.toUpperCase()} request is dropped`);
  return undefined;
}

function describedBody(context: OperationContext): RequestBody | undefined {
  const place = context.opened.resolver.at(context.located, 'requestBody');
  if (place === undefined || place.value === null) return undefined;
  const body = followed(context, place);
  if (!isPlainObject(body.value)) {
    context.note('"requestBody" is no object: ignored');
    return undefined;
  }
  const contents = readContents(context, body).map(({ located, ...content }) => ({ ...content, encoding: encodingOf(context, located) }));
  if (contents.length === 0) {
    context.note('the body has no valid media type: ignored');
    return undefined;
  }
  return defined<RequestBody>({
    description: textOf(body.value, 'description'),
    isRequired: isTrue(body.value, 'required'),
    contents,
  });
}

/** Content of a body or answer, with its place. */
export type ReadContent = Pick<BodyContent, 'mediaType' | 'schema' | 'examples'> & { readonly located: Located };

/** Returns the members of `content`, one of each media type: the first. */
export function readContents(context: OperationContext, owner: Located): readonly ReadContent[] {
  const contents = new Map<string, ReadContent>();
  for (const [name, entry] of membersOf(context, context.opened.resolver.at(owner, 'content'))) {
    const mediaType = mediaTypeOf(name);
    const located = context.opened.resolver.follow(entry);
    if (mediaType === undefined || contents.has(mediaType) || typeof located === 'string') continue;
    const schema = context.opened.resolver.at(located, 'schema');
    contents.set(mediaType, { mediaType, ...(schema === undefined ? {} : { schema }), examples: examplesOf(context, located), located });
  }
  return [...contents.values()];
}

function encodingOf(context: OperationContext, content: Located): Readonly<Record<string, MemberEncoding>> {
  const entries = membersOf(context, context.opened.resolver.at(content, 'encoding')).filter(([, { value }]) => isPlainObject(value));
  return Object.fromEntries(
    entries.map(([name, { value }]) => {
      const flags = (member: string): boolean | undefined => (memberOf(value, member) === undefined ? undefined : isTrue(value, member));
      const encoding = defined<MemberEncoding>({
        contentType: textOf(value, 'contentType'),
        style: formStyles.find((style) => style === memberOf(value, 'style')),
        explode: flags('explode'),
        allowReserved: flags('allowReserved'),
      });
      return [name, encoding];
    }),
  );
}

const formStyles: readonly Style[] = ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'];

/** Returns the body that parameters of 2.0 describe. Documents of 3.0 have them by mistake. */
function parameterBody(context: OperationContext, listed: readonly ListedParameter[]): RequestBody | undefined {
  const body = listed.find(({ in: place }) => place === 'body')?.located;
  const form = listed.filter(({ in: place }) => place === 'formdata');
  if (body === undefined) return form.length === 0 ? undefined : formBody(context, form);
  if (form.length > 0) context.note('form parameters beside a body are ignored');
  const schema = context.opened.resolver.at(body, 'schema');
  const content = { ...(schema === undefined ? {} : { schema }), encoding: {}, examples: examplesOf(context, body) };
  const types = mediaTypesOf(context, 'consumes');
  return defined<RequestBody>({
    description: textOf(body.value, 'description'),
    isRequired: isTrue(body.value, 'required'),
    contents: (types.length === 0 ? ['application/json'] : types).map((mediaType) => ({ mediaType, ...content })),
  });
}
