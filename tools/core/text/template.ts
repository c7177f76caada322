import type Mustache from 'mustache';
import { excerpt, type JsonObject, messageOf, type ToolkitError } from '../../../kernel/index.ts';
import { OutputSize } from './output-size.ts';
import { TemplateData, toText } from './template-data.ts';
import { wrongParameter } from './wrong-parameter.ts';

interface TemplateParameters {
  readonly template: string;
  readonly data: JsonObject;
  readonly escape: 'none' | 'html';
}

interface Rendered {
  readonly text: string;
  /** Names of tags without a value; left out when there are none. */
  readonly missing?: readonly string[];
}

/**
 * Fills in a Mustache template. There are no partials and no functions. Throws INVALID_PARAMETERS and OUTPUT_TOO_LARGE. May run for a very
 * long time: sections over a list can be nested.
 */
export async function renderTemplate({ template, data, escape: escaping }: TemplateParameters): Promise<Rendered> {
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
  class Writer extends Mustache.Writer {
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
  try {
    const tags = writer.parse(template) as Mustache.TemplateSpans;
    refusePartials(tags, template);
    const text = writer.renderTokens(tags as unknown as string[][], new TemplateData(data) as unknown as Mustache.Context);
    return { text, ...(missing.size === 0 ? {} : { missing: [...missing] }) };
  } catch (error) {
    throw asRefusal(error, template);
  }
}

function refusePartials(tags: Mustache.TemplateSpans, template: string): void {
  for (const [type, name, start, , inner] of tags) {
    if (Array.isArray(inner)) refusePartials(inner, template);
    if (type !== '>') continue;
    const message = `received the partial "${excerpt(name, 60)}" ${placeOf(template, start)}, but a template is one text. Write its text in its place`;
    throw wrongParameter('template', message);
  }
}

/** The parser throws `Unclosed tag at 12`, with the index. */
function asRefusal(error: unknown, template: string): unknown {
  if (error instanceof RangeError)
    return wrongParameter('template', 'expected sections nested a few levels deep, received too many. Nest less');
  const [, problem, index] = /^(Un(?:closed|opened) (?:tag|section)[\s\S]*) at (\d+)$/.exec(messageOf(error)) ?? [];
  if (problem !== undefined) return badTemplate(`${excerpt(problem)} ${placeOf(template, Number(index))}`);
  return messageOf(error).startsWith('Invalid tags') ? badTemplate(excerpt(messageOf(error))) : error;
}

function badTemplate(problem: string): ToolkitError {
  return wrongParameter(
    'template',
    `expected a Mustache template: ${problem}. {{name}} is a value, {{#name}}…{{/name}} and {{^name}}…{{/name}} are sections`,
  );
}

function placeOf(template: string, index: number): string {
  const lines = template.slice(0, index).split('\n');
  return `in line ${lines.length}, column ${(lines.at(-1)?.length ?? 0) + 1}`;
}
