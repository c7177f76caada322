import { type Lookup, renderText, renderValue } from '../../../../kernel/index.ts';
import { isStyled, type QueryValue } from '../../definition/styled.ts';
import { pairsOf } from '../pairs.ts';
import { queryText } from './query-text.ts';

/** A part of a query or a form body: a pair to be encoded, or a text that is encoded already. */
export type QueryPart = { readonly name: string; readonly value: string } | { readonly text: string };

/** Renders the members of a query or a form body, in order. */
export function queryParts(members: Readonly<Record<string, unknown>>, lookup: Lookup): readonly QueryPart[] {
  return Object.entries(members).flatMap(([key, member]): QueryPart[] => {
    if (!isStyled(member)) return pairsOf(renderValue({ [key]: member }, lookup)).map(([name, value]) => ({ name, value }));
    const name = renderText(key, lookup);
    const value = renderValue(member.value, lookup);
    const text = name === undefined || value === undefined ? undefined : queryText(name, value, member as QueryValue);
    return text === undefined ? [] : [{ text }];
  });
}

/** Returns each part as encoded text. */
export function partTexts(parts: readonly QueryPart[]): readonly string[] {
  return parts.map((part) => ('text' in part ? part.text : new URLSearchParams([[part.name, part.value]]).toString()));
}

/** True where a member has a style, so that the whole has separators that URLSearchParams would encode. */
export function hasStyled(members: Readonly<Record<string, unknown>> = {}): boolean {
  return Object.values(members).some(isStyled);
}
