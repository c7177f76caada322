import { memberOf, shortText, textOf } from './members.ts';
import type { ParameterPlace, Style } from './operation.ts';
import type { OperationContext } from './read-context.ts';

/** How the value of a parameter is written. */
export interface ValueStyle {
  readonly style: Style;
  readonly explode: boolean;
}

/** Styles of each place, the default first (OAS 3.0.4, Style Values). */
const stylesOf: Readonly<Record<ParameterPlace, readonly Style[]>> = {
  path: ['simple', 'label', 'matrix'],
  query: ['form', 'spaceDelimited', 'pipeDelimited', 'deepObject'],
  header: ['simple'],
  cookie: ['form'],
};

/** Returns style and explode of a parameter, with the defaults; those of 2.0 from its `collectionFormat`. */
export function parameterStyle(context: OperationContext, name: string, place: ParameterPlace, value: unknown): ValueStyle {
  const styles = stylesOf[place];
  const written = textOf(value, 'style');
  if (written === undefined && (context.dialect === '2.0' || memberOf(value, 'collectionFormat') !== undefined))
    return collectionStyle(context, name, place, value);
  const style = styles.find((known) => known.toLowerCase() === written?.toLowerCase()) ?? (styles[0] as Style);
  if (written !== undefined && style.toLowerCase() !== written.toLowerCase())
    context.note(`parameter "${shortText(name, 60)}": style "${shortText(written, 40)}" is none of ${place} parameters; ${style} is used`);
  const explode = memberOf(value, 'explode');
  return { style, explode: typeof explode === 'boolean' ? explode : style === 'form' || style === 'deepObject' };
}

const delimited: Readonly<Record<string, Style>> = { ssv: 'spaceDelimited', pipes: 'pipeDelimited' };

/** Returns the style of a list of 2.0; `csv` without a format (OpenAPI 2.0, Parameter Object). */
export function collectionStyle(context: OperationContext, name: string, place: ParameterPlace | 'form', value: unknown): ValueStyle {
  const isQuery = place === 'query' || place === 'form';
  const plain: ValueStyle = { style: isQuery || place === 'cookie' ? 'form' : 'simple', explode: false };
  const isList = memberOf(value, 'type') === 'array';
  if (!isList) return { ...plain, explode: isQuery };
  const format = textOf(value, 'collectionFormat')?.toLowerCase() ?? 'csv';
  if (format === 'csv') return plain;
  if (format === 'multi' && isQuery) return { style: 'form', explode: true };
  const style = isQuery && Object.hasOwn(delimited, format) ? delimited[format] : undefined;
  if (style !== undefined) return { style, explode: false };
  context.note(`parameter "${shortText(name, 60)}": no style writes collectionFormat "${shortText(format, 40)}" here; commas are used`);
  return plain;
}
