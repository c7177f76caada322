import { excerpt, type JsonObject, type SourceSink } from '../../kernel/index.ts';
import { printable } from './connect/printable.ts';
import { type NormalizeSchema, toolDefinition } from './define/tool-definition.ts';
import { toolNames } from './define/tool-names.ts';
import { nameMatcher } from './define/wildcards.ts';
import { listPrompts } from './relay/list-prompts.ts';
import { listResources, listTemplates } from './relay/list-resources.ts';
import type { ServerLists } from './server-lists.ts';
import type { ServerSettings } from './settings.ts';
import type { Upstream } from './upstream.ts';

export interface ListOptions {
  readonly upstream: Upstream;
  readonly lists: ServerLists;
  /** Tools that were accepted as read-only. */
  readonly readOnly: ReadonlySet<string>;
  /** The accepted lists, when `lists` are those of the server: what is missing is reported. */
  readonly before?: ServerLists | undefined;
}

/** Fills a listing with what a server offers. What cannot be taken is reported by name. */
export function listServer(sink: SourceSink, { upstream, lists, readOnly, before }: ListOptions): void {
  const { settings } = upstream;
  const tools = takenTools(lists.tools, settings);
  const names = toolNames(settings.name, tools.map(nameOf), settings.tools?.rename);
  for (const tool of tools) {
    const original = nameOf(tool);
    const name = names.get(original) ?? original;
    const made = toolDefinition(tool, { settings, name, isAcceptedReadOnly: readOnly.has(original), normalize });
    const shown = excerpt(printable(original), 100);
    if (typeof made === 'string') sink.addProblem({ severity: 'error', message: `the tool "${shown}" of the server ${made}: it is left out`, tool: name });
    else {
      sink.addTool(made.definition);
      for (const note of made.notes) sink.addProblem({ severity: 'warning', message: `the tool "${shown}": ${note}`, tool: name });
    }
  }
  for (const resource of listResources(upstream, lists.resources)) sink.addResource(resource);
  for (const template of listTemplates(upstream, lists.resourceTemplates, lists.completes)) sink.addResourceTemplate(template);
  for (const prompt of listPrompts(upstream, lists.prompts, lists.completes)) sink.addPrompt(prompt);
  reportMissing(sink, lists, before, settings);
  reportUnknownNames(sink, lists, settings);
}

/** Returns the tools that the configuration takes, without those of a name that came before. */
export function takenTools(tools: readonly JsonObject[], { tools: taken = {} }: Pick<ServerSettings, 'tools'>): readonly JsonObject[] {
  const isIncluded = taken.include === undefined ? () => true : nameMatcher(taken.include);
  const isExcluded = nameMatcher(taken.exclude ?? []);
  const seen = new Set<string>();
  return tools.filter((tool) => {
    const name = nameOf(tool);
    if (seen.has(name) || !isIncluded(name) || isExcluded(name)) return false;
    seen.add(name);
    return true;
  });
}

/** Reports tools that the server offers no longer, and instructions that have changed. */
function reportMissing(sink: SourceSink, lists: ServerLists, before: ServerLists | undefined, settings: ServerSettings): void {
  if (before === undefined) return;
  const offered = new Set(lists.tools.map(nameOf));
  for (const tool of takenTools(before.tools, settings)) {
    const name = nameOf(tool);
    const message = `the server no longer offers the tool "${excerpt(printable(name), 100)}", which was accepted`;
    if (!offered.has(name)) sink.addProblem({ severity: 'warning', message, tool: name });
  }
  if (lists.instructions === before.instructions) return;
  const message = `the instructions of the server have changed. See "toolkit upstream diff ${settings.name}", then "toolkit accept ${settings.name}"`;
  sink.addProblem({ severity: 'warning', code: 'APPROVAL_REQUIRED', message });
}

/** Reports names in the configuration that the server does not have: a mistyped `exclude` would do nothing, in silence. */
function reportUnknownNames(sink: SourceSink, lists: ServerLists, { tools = {} }: ServerSettings): void {
  const known = new Set(lists.tools.map(nameOf));
  const named = [...(tools.include ?? []), ...(tools.exclude ?? []), ...Object.keys(tools.rename ?? {}), ...Object.keys(tools.overrides ?? {})];
  for (const name of new Set(named))
    if (!name.includes('*') && !known.has(name))
      sink.addProblem({ severity: 'warning', message: `the configuration names the tool "${excerpt(name, 100)}", which the server does not have` });
}

function nameOf({ name }: JsonObject): string {
  return typeof name === 'string' ? name : '';
}

/** Takes schemas as they are. */
const normalize: NormalizeSchema = (schema) => ({ schema, notes: [] });
