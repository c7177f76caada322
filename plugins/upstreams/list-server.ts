import { excerpt, type SourceSink } from '../../kernel/index.ts';
import { printable } from './connect/printable.ts';
import { toolDefinition } from './define/tool-definition.ts';
import { type UpstreamNames, upstreamNames } from './names/upstream-names.ts';
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
export function listServer(sink: SourceSink, options: ListOptions): void {
  const { upstream, lists, before } = options;
  listTools(sink, options);
  if (before !== undefined) reportChanges(sink, lists, before, upstream.settings);
  const others = lists.resources.length + lists.resourceTemplates.length + lists.prompts.length;
  if (upstream.settings.isOfCallers) {
    // Reading them has no secrets of the caller, and must not use those of the operator.
    const message = `its ${others} resources, templates and prompts are not offered, because each caller has credentials of its own, which reach tools alone`;
    if (others > 0) sink.addProblem({ severity: 'warning', message });
    return;
  }
  for (const resource of listResources(upstream, lists.resources, lists.subscribes === true)) sink.addResource(resource);
  for (const template of listTemplates(upstream, lists.resourceTemplates, lists.completes)) sink.addResourceTemplate(template);
  listNamedPrompts(sink, options);
}

function listTools(sink: SourceSink, { upstream, lists, readOnly }: ListOptions): void {
  const { settings } = upstream;
  const { names, refused, unused } = namesOfTools(lists, settings);
  for (const { original, reason } of refused)
    sink.addProblem({ severity: 'error', message: `the tool "${printable(original)}" of the server ${reason}: it is left out` });
  for (const entry of unused)
    sink.addProblem({
      severity: 'warning',
      message: `"tools" of the configuration has ${excerpt(entry, 100)}, which fits no tool of the server`,
    });
  const known = new Set(lists.tools.map((tool) => tool['name']));
  for (const name of Object.keys(settings.tools?.overrides ?? {}))
    if (!known.has(name))
      sink.addProblem({
        severity: 'warning',
        message: `"overrides" of the configuration has "${excerpt(name, 100)}", which is no tool of the server`,
      });
  for (const tool of lists.tools) {
    const original = String(tool['name']);
    const name = names.get(original);
    if (name === undefined) continue;
    const made = toolDefinition(tool, { settings, name, isAcceptedReadOnly: readOnly.has(original) });
    const shown = excerpt(printable(original), 100);
    if (typeof made === 'string') {
      sink.addProblem({ severity: 'error', message: `the tool "${shown}" of the server ${made}: it is left out`, tool: name });
      continue;
    }
    sink.addTool(made.definition);
    for (const note of made.notes) sink.addProblem({ severity: 'warning', message: `the tool "${shown}": ${note}`, tool: name });
  }
}

function listNamedPrompts(sink: SourceSink, { upstream, lists }: ListOptions): void {
  const { names, refused } = namesOfPrompts(lists, upstream.settings);
  for (const { original, reason } of refused)
    sink.addProblem({ severity: 'error', message: `the prompt "${printable(original)}" of the server ${reason}: it is left out` });
  for (const prompt of listPrompts(upstream, lists.prompts, lists.completes)) {
    const name = names.get(prompt.name);
    if (name !== undefined) sink.addPrompt({ ...prompt, name });
  }
}

/** Returns our names of the tools of a server, as the configuration has them. */
export function namesOfTools(
  { tools }: Pick<ServerLists, 'tools'>,
  { name, tools: selection = {} }: Pick<ServerSettings, 'name' | 'tools'>,
): UpstreamNames {
  return upstreamNames({ source: name, originals: tools.map((tool) => tool['name']), selection });
}

/** Returns our names of the prompts of a server. */
export function namesOfPrompts({ prompts }: Pick<ServerLists, 'prompts'>, { name }: Pick<ServerSettings, 'name'>): UpstreamNames {
  return upstreamNames({ source: name, originals: prompts.map((prompt) => prompt['name']) });
}

/** Reports accepted tools that the server offers no longer, and instructions that have changed. */
function reportChanges(sink: SourceSink, lists: ServerLists, before: ServerLists, settings: ServerSettings): void {
  const offered = new Set(lists.tools.map(({ name }) => name));
  for (const [original, name] of namesOfTools(before, settings).names) {
    const message = `the server no longer offers the tool "${excerpt(printable(original), 100)}", which was accepted`;
    if (!offered.has(original)) sink.addProblem({ severity: 'warning', message, tool: name });
  }
  if (lists.instructions === before.instructions) return;
  const message = `the instructions of the server have changed. See "toolkit upstream diff ${settings.name}", then "toolkit upstream accept ${settings.name}"`;
  sink.addProblem({ severity: 'warning', code: 'APPROVAL_REQUIRED', message });
}
