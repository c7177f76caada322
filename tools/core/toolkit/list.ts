import { type Risk, type Tool, ToolkitError } from '../../../kernel/index.ts';
import type { FunctionContext } from '../../../plugins/executor-function/index.ts';
import { providerOf } from '../../../plugins/shared/exposure/provider-of.ts';
import { isChosen, type ToolChoice, unknownProvider } from '../../../plugins/shared/exposure/tool-choice.ts';
import { toolText } from '../../../plugins/shared/exposure/written-out/listed-input.ts';

/** Maximum UTF-16 units of the words of a source. */
const maxForeign = 160;

interface ListParameters extends ToolChoice {
  readonly limit: number;
  readonly cursor?: string;
}

interface ListResult {
  readonly tools: readonly { readonly name: string; readonly description: string; readonly provider: string; readonly risk: Risk }[];
  readonly total: number;
  readonly next_cursor: string | null;
  readonly note?: string;
}

/** Returns one page of the tools that are visible to the caller. Throws INVALID_PARAMETERS for an unknown cursor. */
export function listTools({ limit, cursor, ...choice }: ListParameters, { tools }: FunctionContext): ListResult {
  const all = tools.list();
  const wanted = all.filter((tool) => isChosen(tool, choice));
  const note = unknownProvider(all, choice);
  const after = cursor === undefined ? undefined : nameIn(cursor);
  const rest = [...wanted].sort(byName).filter(({ name }) => after === undefined || name > after);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  return {
    tools: page.map((tool) => ({ name: tool.name, description: toolText(tool, maxForeign), provider: providerOf(tool), risk: tool.risk })),
    total: wanted.length,
    next_cursor: last === undefined || rest.length === page.length ? null : cursorAfter(last.name),
    ...(note === undefined ? {} : { note }),
  };
}

function byName(a: Tool, b: Tool): number {
  return a.name < b.name ? -1 : 1;
}

/** Encodes the name that the next page begins after, so that pages stay right when tools are added or removed between them. */
function cursorAfter(name: string): string {
  return Buffer.from(name, 'utf8').toString('base64url');
}

function nameIn(cursor: string): string {
  // Own text: a cursor; another one finds nothing
  const name = Buffer.from(cursor, 'base64url').toString('utf8');
  if (cursorAfter(name) === cursor && /^[A-Za-z0-9_-]{1,64}$/.test(name)) return name;
  const message = 'expected the next_cursor of an earlier answer, unchanged';
  throw new ToolkitError('INVALID_PARAMETERS', `Parameter "cursor": ${message}. Leave it out to begin with the first page.`, {
    issues: [{ path: 'cursor', message }],
  });
}
