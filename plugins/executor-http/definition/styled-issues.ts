import { checkValue, didYouMean, type Issue, isPlainObject, placeholdersIn } from '../../../kernel/index.ts';
import { pathPlaceholders } from '../request/url.ts';
import { type AuthDefinition, stylesOf } from './auth.ts';
import { escapePointer, issueAt } from './issue-at.ts';
import { isValuePart, ValuePartSchema } from './multipart.ts';
import { CookieValueSchema, isNearlyStyled, isStyled, QueryValueSchema, styleKeys } from './styled.ts';

const token = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

/** Returns issues of described values in a query or a form body, for which the schema allows any value. `key` is their place. */
export function memberIssues(key: string, members: Readonly<Record<string, unknown>> = {}): readonly Issue[] {
  return Object.entries(members).flatMap(([name, member]) => {
    const at = issuesAt(`${key}/${escapePointer(name)}`);
    if (isNearlyStyled(member)) return [at('', nearlyText(member, styleKeys))];
    if (!isStyled(member)) return [];
    return [...checkValue(QueryValueSchema, member).map(({ pointer, message }) => at(pointer ?? '', message)), ...deepIssues(member, at)];
  });
}

/** Returns issues of described values in a multipart body. */
export function partIssues(key: string, parts: Readonly<Record<string, unknown>> = {}): readonly Issue[] {
  return Object.entries(parts).flatMap(([name, part]) => {
    const at = issuesAt(`${key}/${escapePointer(name)}`);
    if (!isValuePart(part)) {
      const isNearly = isPlainObject(part) && !Object.hasOwn(part, 'file') && (isNearlyStyled(part) || isNearlyTyped(part));
      return isNearly ? [at('', nearlyText(part, ['content_type', 'style', 'explode']))] : [];
    }
    const issues = checkValue(ValuePartSchema, part).map(({ pointer, message }) => at(pointer ?? '', message));
    if (part.content_type !== undefined && part.style !== undefined)
      issues.push(at('/style', 'cannot stand beside "content_type": keep one of the two'));
    return [...issues, ...deepIssues(part, at)];
  });
}

/** Returns issues of `cookies`: names, values that no cookie can have, and descriptions. */
export function cookieIssues(cookies: Readonly<Record<string, unknown>> = {}, auth?: AuthDefinition): readonly Issue[] {
  const ofAuth = stylesOf(auth).flatMap((style) => (style.type === 'cookie' ? style.name : []));
  return Object.entries(cookies).flatMap(([name, template]) => {
    const at = issuesAt(`cookies/${escapePointer(name)}`);
    if (!token.test(name) || placeholdersIn(name).length > 0) return [at('', `"${name}" is not a cookie name (RFC 6265, 4.1.1)`)];
    if (ofAuth.includes(name)) return [at('', 'is the cookie of "auth" as well: keep one of the two')];
    if (isNearlyStyled(template)) return [at('', nearlyText(template, styleKeys))];
    if (isStyled(template)) return checkValue(CookieValueSchema, template).map(({ pointer, message }) => at(pointer ?? '', message));
    return typeof template === 'object'
      ? [at('', 'expected a text, or an object with "value" and perhaps "style", "explode" and "allow_reserved"')]
      : [];
  });
}

/** Returns issues of `path_params` whose placeholder is not in the path of the URL. */
export function pathIssues(url: string, described: Readonly<Record<string, unknown>> = {}): readonly Issue[] {
  const inPath = pathPlaceholders(url);
  return Object.keys(described)
    .filter((name) => !inPath.includes(name))
    .map((name) =>
      issuesAt(`path_params/${escapePointer(name)}`)(
        '',
        `describes {${name}}, which "url" does not have in its path.${didYouMean(name, inPath)}`,
      ),
    );
}

type At = (key: string, message: string) => Issue;

function issuesAt(place: string): At {
  return (key, message) => issueAt(place + key, message);
}

function deepIssues({ style, explode }: { readonly style?: unknown; readonly explode?: unknown }, at: At): readonly Issue[] {
  return style === 'deepObject' && explode === false
    ? [at('/explode', 'cannot be false for the style deepObject, which has no such form')]
    : [];
}

/** True for a part with `value`, `content_type` and another key. */
function isNearlyTyped(part: Readonly<Record<string, unknown>>): boolean {
  return Object.hasOwn(part, 'value') && Object.hasOwn(part, 'content_type');
}

function nearlyText(member: Readonly<Record<string, unknown>>, allowed: readonly string[]): string {
  const other = Object.keys(member).find((key) => key !== 'value' && !allowed.includes(key)) ?? '';
  const keys = ['value', ...allowed].map((key) => `"${key}"`).join(', ');
  return `has "value" and a style, and another key as well, "${other}".${didYouMean(other, allowed)} Expected ${keys} alone`;
}
