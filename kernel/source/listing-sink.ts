import { namespaced } from '../definition/registry/namespace.ts';
import type { Prompt, Resource, ResourceTemplate } from '../definition/resources/resource.ts';
import { excerpt, ToolkitError } from '../errors.ts';
import { foreignJson } from '../json/foreign-json.ts';
import { describeValue, isPlainObject, type JsonObject } from '../json/json.ts';
import { type Listing, type SourceItem, sealListing } from './listing.ts';
import type { SourceItemKind, SourceSink } from './source.ts';
import { sourceLimits } from './source-limits.ts';

type Draft = Omit<SourceItem, 'digest' | 'shared' | 'sharedDigest'>;

/** The name and the definition in the namespace, or the reason why there are none. */
type NamedDraft = Pick<Draft, 'name' | 'definition'> | string;

/** Collects one listing of a source: adds the prefix to names, copies definitions, and enforces the limits. */
export class ListingSink implements SourceSink {
  readonly #source: string;
  readonly #drafts: Draft[] = [];
  readonly #problems: Listing['problems'][number][] = [];
  #remaining = 0;
  #length = 0;
  #excess: ToolkitError | undefined;
  readonly #known: (version: string) => Listing | undefined;
  #version: string | undefined;
  #cached: Listing | undefined;

  /** `known` returns the listing of a version. */
  constructor(source: string, known: (version: string) => Listing | undefined = () => undefined) {
    this.#source = source;
    this.#known = known;
  }

  useCached(version: string): boolean {
    if (typeof version !== 'string' || version === '') throw misused(`expected a version as text, received ${describeValue(version)}`);
    if (this.#version !== undefined) throw misused('it was called twice for one listing');
    if (this.#drafts.length + this.#problems.length > 0) throw misused('call it before anything is added');
    this.#version = version;
    this.#cached = this.#known(version);
    return this.#cached !== undefined;
  }

  addTool(definition: unknown, provider?: string): void {
    const named = provider === undefined ? {} : { provider: this.#providerName(String(provider)) };
    this.#add(
      'tool',
      definition,
      (written) => this.#renamed(written, 'name'),
      (draft) => ({ ...draft, ...named }),
    );
  }

  addProvider(definition: unknown): void {
    this.#add('provider', definition, (written) => {
      const { provider } = written;
      if (!isPlainObject(provider) || typeof provider['name'] !== 'string') return { name: '', definition: written };
      const name = this.#providerName(provider['name']);
      return { name, definition: { ...written, provider: { ...provider, name } } as JsonObject };
    });
  }

  addResource(resource: Resource): void {
    const { watch } = resource;
    this.#add(
      'resource',
      resource,
      (written) => this.#addressed(written, 'uri'),
      (draft) => ({
        ...draft,
        value: {
          ...(draft.definition as unknown as Resource),
          read: (...given: Parameters<Resource['read']>) => resource.read(...given),
          ...(watch === undefined ? {} : { watch: (changed: () => void) => watch.call(resource, changed) }),
        },
      }),
    );
  }

  addResourceTemplate(template: ResourceTemplate): void {
    this.#add(
      'resource template',
      template,
      (written) => this.#addressed(written, 'uriTemplate'),
      (draft) => ({
        ...draft,
        value: {
          ...(draft.definition as unknown as ResourceTemplate),
          read: (...given: Parameters<ResourceTemplate['read']>) => template.read(...given),
          ...(template.complete === undefined ? {} : { complete: { ...template.complete } }),
        },
      }),
    );
  }

  addPrompt(prompt: Prompt): void {
    const nameOf = (written: JsonObject): NamedDraft => (isValidPrompt(written) ? this.#renamed(written, 'name') : notPrompt);
    this.#add('prompt', prompt, nameOf, (draft) => {
      const written = draft.definition as unknown as Prompt;
      const list = written.arguments?.map((argument, index) => {
        const complete = prompt.arguments?.[index]?.complete;
        return { ...argument, ...(complete === undefined ? {} : { complete }) };
      });
      const get: Prompt['get'] = (...given) => prompt.get(...given);
      return { ...draft, value: { ...written, get, ...(list === undefined ? {} : { arguments: list }) } };
    });
  }

  addProblem({ severity, message, code = 'TOOL_INVALID', tool }: Parameters<SourceSink['addProblem']>[0]): void {
    if (this.#problems.length >= sourceLimits.problems) {
      this.#remaining++;
      return;
    }
    const named = tool === undefined ? {} : { tool: excerpt(namespaced(this.#source, String(tool)), 100) };
    this.#problems.push({ severity: severity === 'warning' ? 'warning' : 'error', code, message: excerpt(String(message), 400), ...named });
  }

  /** Returns the whole listing. Throws OUTPUT_TOO_LARGE when it exceeded a limit, even if the source ignored the error. */
  async listing(): Promise<Listing> {
    if (this.#excess !== undefined) throw this.#excess;
    if (this.#cached !== undefined) return this.#cached;
    const more = { severity: 'error', code: 'TOOL_INVALID', message: `and ${this.#remaining} more problems` } as const;
    const sealed = await sealListing(this.#drafts, this.#source, this.#remaining === 0 ? this.#problems : [...this.#problems, more]);
    return this.#version === undefined ? sealed : { ...sealed, version: this.#version };
  }

  #add(
    kind: SourceItemKind,
    given: unknown,
    name: (written: JsonObject) => NamedDraft,
    complete: (draft: Draft) => Draft = (draft) => draft,
  ): void {
    if (this.#excess !== undefined) throw this.#excess;
    if (this.#cached !== undefined) throw misused('it returned true, so add nothing');
    if (this.#drafts.length >= sourceLimits.items) this.#refuseWhole(`more than ${sourceLimits.items.toLocaleString('en')} things`);
    const copied = foreignJson(given, kind === 'provider' ? sourceLimits.providerLength : sourceLimits.itemLength);
    if (typeof copied === 'string') {
      this.#refuse(kind, given, copied);
      return;
    }
    this.#length += copied.length;
    if (this.#length > sourceLimits.length)
      this.#refuseWhole(`definitions of more than ${sourceLimits.length.toLocaleString('en')} characters together`);
    const named = name(copied.json);
    if (typeof named === 'string') {
      this.#refuse(kind, given, named);
      return;
    }
    this.#drafts.push(complete({ kind, ...named }));
  }

  #renamed(written: JsonObject, member: string): NamedDraft {
    const name = written[member];
    if (typeof name !== 'string' || name === '' || name.length > 200)
      return `has no name: expected a text, received ${describeValue(name)}`;
    const forced = namespaced(this.#source, name);
    return { name: forced, definition: { ...written, [member]: forced } };
  }

  #addressed(written: JsonObject, member: string): NamedDraft {
    const address = written[member];
    if (
      typeof address === 'string' &&
      address !== '' &&
      address.length <= 2048 &&
      typeof written['name'] === 'string' &&
      isDescribed(written)
    )
      return { name: address, definition: written };
    return `has a wrong form: expected "${member}" (2,048 characters at most), "name" and what describes it to be texts`;
  }

  #providerName(name: string): string {
    return name === this.#source ? name : namespaced(this.#source, name);
  }

  #refuse(kind: SourceItemKind, given: unknown, why: string): void {
    const members = given as Readonly<Record<string, unknown>> | null | undefined;
    const name = members?.['name'] ?? members?.['uri'] ?? members?.['uriTemplate'];
    const shown = typeof name === 'string' ? ` "${excerpt(name, 100)}"` : '';
    this.addProblem({ severity: 'error', message: `lists the ${kind}${shown}, which ${why}: it is left out` });
  }

  #refuseWhole(excess: string): never {
    const message = `The source "${this.#source}" lists ${excess}, so this listing is not used. Make it list less.`;
    this.#excess = new ToolkitError('OUTPUT_TOO_LARGE', message);
    throw this.#excess;
  }
}

function misused(why: string): ToolkitError {
  return new ToolkitError('PLUGIN_INVALID', `A source called sink.useCached wrongly: ${why}.`);
}

const notPrompt = 'has a wrong form: expected what describes it to be texts, and "arguments" to be a list of objects with a "name"';

function isValidPrompt(written: JsonObject): boolean {
  const { arguments: list = [] } = written;
  const isArgument = (one: unknown): boolean => isPlainObject(one) && typeof one['name'] === 'string' && isDescribed(one as JsonObject);
  return isDescribed(written) && Array.isArray(list) && list.every(isArgument);
}

function isDescribed(written: JsonObject): boolean {
  return ['title', 'description', 'mimeType'].every((name) => written[name] === undefined || typeof written[name] === 'string');
}
