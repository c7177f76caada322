import type { Kernel, Tool } from '../../../../kernel/index.ts';
import { decideToolAccess } from '../../../shared/exposure/tool-access.ts';
import { exposedLists, tokensOf } from '../../../shared/exposure/tool-lists.ts';
import type { NeededName } from '../../generate/generated.ts';
import type { Preview } from '../preview.ts';
import { isPrivateServer } from '../private-server.ts';
import { groupNotes, type NoteGroup } from './group-notes.ts';

/** The facts that `inspect` reports about a document. */
export interface Findings {
  readonly name: string;
  readonly document: string;
  readonly title: string;
  readonly version: string;
  readonly dialect: string;
  /** Operations of the document, chosen or not. */
  readonly operations: number;
  readonly tools: number;
  /** A tool to begin with: one that only reads, where there is one. */
  readonly first?: string;
  /** True when models find its tools by searching, because of `expose` or their number. */
  readonly isSearched: boolean;
  /** Estimated tokens of a listing with all its tools. */
  readonly tokens: number;
  readonly tags: readonly { readonly tag: string; readonly tools: number; readonly tokens: number }[];
  readonly risks: Readonly<Record<string, number>>;
  /** Operations without a tool, by reason. */
  readonly skipped: readonly NoteGroup[];
  /** Losses and proposals that concern single operations. */
  readonly notes: readonly NoteGroup[];
  /** Remarks about the whole document. */
  readonly documentNotes: readonly string[];
  readonly needs: readonly NeededName[];
  readonly hosts: readonly string[];
  /** The document's server, where it is in a private network or on this machine, and the configuration does not name it. */
  readonly privateServer?: string;
  /** Actions of the overlay that match nothing. */
  readonly unmatched: readonly string[];
}

/** Collects the facts about a document and its tools. */
export function findingsOf({ kernel, loaded, tools, problems, source }: Preview, name: string, document: string): Findings {
  const { document: api, generated } = loaded;
  const costs = costsOf(kernel, tools);
  const base = String(generated.provider['base_url'] ?? '');
  const first =
    tools.find(({ risk, inputSchema }) => risk === 'low' && [inputSchema['required'] ?? []].flat().length === 0) ??
    tools.find(({ risk }) => risk === 'low') ??
    tools[0];
  const tagOf = new Map(generated.tools.map(({ definition, operation }) => [definition['name'], operation.tags[0] ?? '(no tag)']));
  const tags = new Map<string, { tools: number; tokens: number }>();
  const risks: Record<string, number> = {};
  for (const tool of tools) {
    const tag = tagOf.get(tool.name) ?? '(no tag)';
    const sum = tags.get(tag) ?? { tools: 0, tokens: 0 };
    tags.set(tag, { tools: sum.tools + 1, tokens: sum.tokens + (costs.get(tool.name) ?? 0) });
    risks[tool.risk] = (risks[tool.risk] ?? 0) + 1;
  }
  return {
    ...{ name, document, title: api.title, version: api.version, dialect: api.dialect },
    operations: api.operations.length + api.skipped.length,
    tools: tools.length,
    ...(first === undefined ? {} : { first: first.name }),
    isSearched: tools.length > 0 && tools.every(({ definition }) => definition.listed === 'search'),
    tokens: [...costs.values()].reduce((sum, cost) => sum + cost, 0),
    tags: [...tags].map(([tag, sum]) => ({ tag, ...sum })).sort((one, other) => other.tokens - one.tokens),
    risks,
    skipped: groupNotes([
      ...generated.skipped.map(({ reason, method, path, detail }) => ({ note: reason, place: `${method} ${path}`, detail })),
      ...problems.filter(({ severity }) => severity === 'error').map(({ message, tool }) => ({ note: message, place: tool ?? '' })),
    ]),
    notes: groupNotes(
      generated.tools.flatMap(({ notes, operation }) => notes.map((note) => ({ note, place: `${operation.method} ${operation.path}` }))),
    ),
    documentNotes: [...new Set([...loaded.notes, ...api.notes, ...generated.notes])],
    needs: generated.needs,
    hosts: generated.hosts,
    ...(source.server === undefined && isPrivateServer(base) ? { privateServer: base } : {}),
    unmatched: loaded.unmatched,
  };
}

function costsOf({ registry, approvalProof }: Kernel, tools: readonly Tool[]): ReadonlyMap<string, number> {
  const { all } = exposedLists(registry, decideToolAccess({ expose: 'all' }, registry), approvalProof);
  return new Map(tools.map((tool) => [tool.name, tokensOf(all.cachedEntry(tool))]));
}
