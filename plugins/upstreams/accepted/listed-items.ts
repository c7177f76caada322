import type { SourceItemKind, SourceSink } from '../../../kernel/index.ts';
import { itemDigest } from '../define/item-digest.ts';
import { listServer, namesOfPrompts, namesOfTools } from '../list-server.ts';
import type { ServerLists } from '../server-lists.ts';
import type { Upstream } from '../upstream.ts';

/** An item of a server as the kernel lists it. */
export interface ListedItem {
  /** The name that the server gives; the URI of a resource. */
  readonly original: string;
  /** Digest of the definition, as the kernel has it. */
  readonly digest: string;
}

/** Returns what the kernel lists for these lists, by kind and name, such as `tool shop_pay`. */
export function listedItems(upstream: Upstream, lists: ServerLists, readOnly: ReadonlySet<string>): ReadonlyMap<string, ListedItem> {
  const items = new Map<string, ListedItem>();
  const { settings } = upstream;
  const originals = {
    tool: byName(namesOfTools(lists, settings).names),
    prompt: byName(namesOfPrompts(lists, settings).names),
  };
  const named = (kind: 'tool' | 'prompt', definition: { readonly name: string }): void => {
    const { name } = definition;
    items.set(`${kind} ${name}`, { original: originals[kind].get(name) ?? '', digest: digestOf(definition) });
  };
  const addressed = (kind: SourceItemKind, address: string, definition: object): void => {
    items.set(`${kind} ${address}`, { original: address, digest: digestOf(definition) });
  };
  const sink: SourceSink = {
    addTool: (definition) => named('tool', definition as { readonly name: string }),
    addPrompt: (prompt) => named('prompt', prompt),
    addResource: (resource) => addressed('resource', resource.uri, resource),
    addResourceTemplate: (template) => addressed('resource template', template.uriTemplate, template),
    addProvider: () => {},
    addProblem: () => {},
    useCached: () => false,
  };
  listServer(sink, { upstream, lists, readOnly });
  return items;
}

/** Returns the digest of a definition without its functions, which the kernel's copy does not have. */
export function digestOf(definition: object): string {
  // Own text: written in this line. No number: `readJson` has made texts of those beyond 2^53.
  return itemDigest(JSON.parse(JSON.stringify(definition)));
}

function byName(names: ReadonlyMap<string, string>): ReadonlyMap<string, string> {
  return new Map([...names].map(([original, name]) => [name, original]));
}
