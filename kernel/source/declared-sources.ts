import { checkSourceName, isInNamespace } from '../definition/registry/namespace.ts';
import { ToolkitError } from '../errors.ts';
import { describeValue } from '../json/json.ts';
import type { OutboundFetch } from '../outbound.ts';
import { parseUrl } from '../schema/parse-url.ts';
import type { Source, SourceAccess } from './source.ts';

/** A source as its plugin added it. */
export interface DeclaredSource {
  readonly name: string;
  readonly plugin: string;
  readonly source: Source;
}

/** The sources that plugins add in `apply`, with the parts of the configuration that their listings need. */
export class DeclaredSources {
  readonly all: DeclaredSource[] = [];
  /** The plugin of each execution type. */
  readonly typeOwners = new Map<string, string>();
  roots: () => readonly string[] = () => [];
  /** Opens the network to a source until the kernel closes. Set by the kernel. */
  fetchOf: ((source: DeclaredSource) => OutboundFetch) | undefined;

  /** Adds a source. Throws PLUGIN_INVALID for an invalid one, and for overlapping namespaces. */
  add(name: string, plugin: string, source: Source): Omit<SourceAccess, 'controlFiles'> {
    checkSourceName(name, plugin);
    checkSource(name, plugin, source);
    const other = this.all.find((known) => isInNamespace(name, known.name) || isInNamespace(known.name, name));
    if (other !== undefined) {
      const message = `Plugin "${plugin}" adds the source "${name}", but its names overlap with those of the source "${other.name}" of plugin "${other.plugin}". Give one of them another name.`;
      throw new ToolkitError('PLUGIN_INVALID', message, { plugin });
    }
    const declared: DeclaredSource = { name, plugin, source };
    this.all.push(declared);
    let fetch: OutboundFetch | undefined;
    return {
      fetch: (...given) => {
        fetch ??= this.fetchOf?.(declared);
        if (fetch !== undefined) return fetch(...given);
        throw new ToolkitError('PLUGIN_INVALID', `The source "${name}" fetches before the kernel is ready. Fetch in a tap or a listing.`, {
          plugin,
        });
      },
      roots: () => this.roots(),
    };
  }

  /** Returns the execution types that tools of a source may have. */
  executionTypesOf({ plugin, source }: DeclaredSource): readonly string[] {
    const own = [...this.typeOwners].filter(([, owner]) => owner === plugin).map(([type]) => type);
    return [...own, ...(source.executionTypes ?? [])];
  }
}

function checkSource(name: string, plugin: string, source: unknown): void {
  const wrong = (expected: string, received: unknown): ToolkitError => {
    const message = `Plugin "${plugin}" adds an invalid source "${name}": expected ${expected}, received ${describeValue(received)}.`;
    return new ToolkitError('PLUGIN_INVALID', message, { plugin });
  };
  if (typeof source !== 'object' || source === null) throw wrong('an object { list, watch?, timeoutMs?, trust? }', source);
  const {
    list,
    watch,
    timeoutMs = 1,
    retryDelayMs = 1,
    trust = 'review',
    urls = [],
    executionTypes = [],
    secrets = [],
    cache = noCache,
  } = source as Record<string, unknown>;
  if (typeof list !== 'function') throw wrong('"list" to be a function', list);
  if (watch !== undefined && typeof watch !== 'function') throw wrong('"watch" to be a function', watch);
  const { read, store } = (cache ?? {}) as Record<string, unknown>;
  if (typeof read !== 'function' || typeof store !== 'function') throw wrong('"cache" to be an object { read, store }', cache);
  if (!isDelay(timeoutMs)) throw wrong('"timeoutMs" to be a number of milliseconds from 1 to 600000', timeoutMs);
  if (!isDelay(retryDelayMs)) throw wrong('"retryDelayMs" to be a number of milliseconds from 1 to 600000', retryDelayMs);
  if (trust !== 'review' && trust !== 'all') throw wrong('"trust" to be "review" or "all"', trust);
  for (const [key, texts] of Object.entries({ urls, executionTypes, secrets }))
    if (!Array.isArray(texts) || texts.some((text) => typeof text !== 'string')) throw wrong(`"${key}" to be a list of texts`, texts);
  const noUrl = (urls as string[]).find((url) => parseUrl(url) === undefined);
  if (noUrl !== undefined) throw wrong('"urls" to hold whole URLs such as "https://api.shop.example"', noUrl);
}

const noCache = { read: () => undefined, store: () => {} };

function isDelay(value: unknown): boolean {
  return typeof value === 'number' && value >= 1 && value <= 600_000;
}
