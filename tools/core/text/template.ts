import type Mustache from 'mustache';
import { excerpt, type JsonValue, messageOf, type ToolkitError } from '../../../kernel/index.ts';
import { invalidParameter } from './invalid-parameter.ts';
import { OutputSize } from './output-size.ts';
import { readData, TemplateData, toText } from './template-data.ts';
import { indented, maxPartialDepth, parseWithPartials } from './template-partials.ts';

interface TemplateParameters {
  readonly template: string;
  readonly data: JsonValue;
  readonly partials?: Readonly<Record<string, string>>;
  readonly escape: 'none' | 'html';
}

interface Rendered {
  readonly text: string;
  /** Names of tags without a value, and `> name` for partials without a text. Absent when there are none. */
  readonly missing?: readonly string[];
}

/**
 * Renders a Mustache template, without functions. Throws INVALID_PARAMETERS and OUTPUT_TOO_LARGE. May run for a very long time: sections over
 * a list can be nested.
 */
export async function renderTemplate({ template, data, partials, escape: escaping }: TemplateParameters): Promise<Rendered> {
  const { default: Mustache } = await import('mustache');
  const size = new OutputSize('Give a shorter template or less data.');
  const missing = new Set<string>();
  const measured = (text: string): string => {
    size.add(text.length);
    return text;
  };
  const valueText = (name: string, context: Mustache.Context): string => {
    const value = context.lookup(name) as unknown;
    if (value === undefined) missing.add(name);
    return toText(value);
  };
  let depth = 0;
  class Writer extends Mustache.Writer {
    override parse(text: string): Mustache.TemplateSpans {
      return parseWithPartials(text, (given) => super.parse(given) as Mustache.TemplateSpans);
    }
    override renderPartial([, name = '', , , indentation = '']: string[], context: Mustache.Context): string {
      if (partials === undefined || !Object.hasOwn(partials, name)) {
        missing.add(`> ${name}`);
        return '';
      }
      if (depth >= maxPartialDepth) throw tooDeep(name);
      depth += 1;
      const text = this.renderTokens(this.parse(indented(partials[name] ?? '', indentation)) as unknown as string[][], context);
      depth -= 1;
      return text;
    }
    override rawValue([, text = '']: string[]): string {
      return measured(text);
    }
    override escapedValue([, name = '']: string[], context: Mustache.Context): string {
      const text = valueText(name, context);
      return measured(escaping === 'html' ? Mustache.escape(text) : text);
    }
    override unescapedValue([, name = '']: string[], context: Mustache.Context): string {
      return measured(valueText(name, context));
    }
  }
  const writer = new Writer();
  const parsed = (parameter: string, text: string): Mustache.TemplateSpans => {
    try {
      return writer.parse(text);
    } catch (error) {
      throw toTemplateError(error, parameter, text);
    }
  };
  const tags = parsed('template', template);
  if (partials === undefined) refusePartials(tags, template);
  for (const [name, text] of Object.entries(partials ?? {})) parsed(`partials.${excerpt(name, 60)}`, text);
  try {
    const text = writer.renderTokens(tags as unknown as string[][], new TemplateData(readData(data)) as unknown as Mustache.Context);
    return { text, ...(missing.size === 0 ? {} : { missing: [...missing] }) };
  } catch (error) {
    throw toTemplateError(error, 'template', template);
  }
}

function tooDeep(name: string): ToolkitError {
  const message = `expected partials at most ${maxPartialDepth} deep in each other, received more: "${excerpt(name, 60)}" contains itself`;
  return invalidParameter('partials', `${message}. Put the tag into a section that ends the recursion, such as one over an empty list`);
}

function refusePartials(tags: Mustache.TemplateSpans, template: string): void {
  for (const [type, name, start, , inner] of tags) {
    if (Array.isArray(inner)) refusePartials(inner, template);
    if (type !== '>') continue;
    const message = `received the partial "${excerpt(name, 60)}" ${placeOf(template, start)}, but no partials. Give its text in partials`;
    throw invalidParameter('template', message);
  }
}

/** The parser throws `Unclosed tag at 12`, with the index. */
function toTemplateError(error: unknown, parameter: string, text: string): unknown {
  if (error instanceof RangeError)
    return invalidParameter(parameter, 'expected sections nested a few levels deep, received too many. Nest less');
  const [, problem, index] = /^(Un(?:closed|opened) (?:tag|section)[\s\S]*) at (\d+)$/.exec(messageOf(error)) ?? [];
  if (problem !== undefined) return badTemplate(parameter, `${excerpt(problem)} ${placeOf(text, Number(index))}`);
  return messageOf(error).startsWith('Invalid tags') ? badTemplate(parameter, excerpt(messageOf(error))) : error;
}

function badTemplate(parameter: string, problem: string): ToolkitError {
  return invalidParameter(
    parameter,
    `expected a Mustache template: ${problem}. {{name}} is a value, {{#name}}…{{/name}} and {{^name}}…{{/name}} are sections`,
  );
}

function placeOf(template: string, index: number): string {
  const lines = template.slice(0, index).split('\n');
  return `in line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}
