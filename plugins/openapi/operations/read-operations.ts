import { isPlainObject, LongWork } from '../../../kernel/index.ts';
import type { OpenedDocument } from '../document/open-document.ts';
import { versionOf } from '../document/parse-document.ts';
import type { Located } from '../document/resolve.ts';
import { GroupedNotes } from './grouped-notes.ts';
import { defined, memberOf, shortText, textOf } from './members.ts';
import {
  type ApiDocument,
  type Dialect,
  type DocumentMethod,
  documentMethods,
  type Operation,
  type SkippedOperation,
} from './operation.ts';
import { maxPathLength } from './path-template.ts';
import type { DocumentContext } from './read-context.ts';
import { readOperation } from './read-operation.ts';
import { readSecuritySchemes } from './security-schemes.ts';
import { defaultServers, readServers, relativeServer, serversOf2 } from './servers.ts';
import { UnusableOperation } from './unusable-operation.ts';
import { WorkBudget } from './work-budget.ts';

/**
 * Reads all operations of a document, 2.0, 3.0 or 3.1. Never checks the document as a whole: an operation that cannot be used is left out with
 * its reason. Yields to the event loop between operations.
 */
export async function readOperations(opened: OpenedDocument): Promise<ApiDocument> {
  const { value, location, resolver } = opened;
  const root: Located = { value, base: location, pointer: '' };
  const notes: string[] = [...opened.notes];
  const dialect = dialectOf(value);
  const servers = dialect === '2.0' ? serversOf2(value, undefined, location) : (readServers(value, location) ?? defaultServers(location));
  const relative = servers.length === 0 ? relativeServer(value) : undefined;
  if (relative !== undefined)
    notes.push(`the document names no host, only the path "${shortText(relative, 80)}": set "server" to the whole URL, with it`);
  const securitySchemes = readSecuritySchemes(opened, root, (fault) => notes.push(fault));
  const reading = new Reading({ opened, dialect, root, servers, securitySchemes, budget: new WorkBudget() });
  const paths = resolver.at(root, 'paths');
  const work = new LongWork();
  for (const path of isPlainObject(paths?.value) ? Object.keys(paths.value) : []) {
    if (work.isDue) await work.yieldToEventLoop();
    if (!path.startsWith('x-')) reading.readPath(path, resolver.at(paths as Located, path) as Located);
  }
  if (!isPlainObject(paths?.value)) notes.push('the document has no "paths": it has no operations');
  else if (reading.operations.length + reading.skipped.length === 0)
    notes.push('the document has no operations: its "paths" have no methods');
  return defined<ApiDocument>({
    dialect,
    title: textOf(value['info'], 'title')?.trim() ?? '',
    version: versionOf(memberOf(value['info'], 'version')),
    description: textOf(value['info'], 'description'),
    operations: reading.operations,
    skipped: reading.skipped,
    securitySchemes,
    tags: tagsOf(value),
    notes: [...notes, ...reading.notes.lines()],
  });
}

/** Collects the operations of one document, path by path. */
class Reading {
  readonly operations: Operation[] = [];
  readonly skipped: SkippedOperation[] = [];
  readonly notes = new GroupedNotes();
  readonly #context: DocumentContext;
  readonly #seen = new Set<string>();

  constructor(context: DocumentContext) {
    this.#context = context;
  }

  readPath(written: string, item: Located): void {
    const path = written.startsWith('/') ? written : `/${written}`;
    const fault = pathFault(path, item.value);
    if (fault !== undefined) {
      this.skipped.push({ method: '*', path, reason: 'invalid', detail: `${shortText(item.pointer, 200)}: ${fault}` });
      return;
    }
    const target = this.#context.opened.resolver.follow(item);
    if (typeof target === 'string')
      this.skipped.push({ method: '*', path, reason: 'broken reference', detail: `${shortText(item.pointer, 200)}: ${target}` });
    // Members beside `$ref` come first: the standard leaves their order open.
    const items = target === item || typeof target === 'string' ? [item] : [item, target];
    for (const [method, located] of this.#methodsOf(items)) this.#read(method, path, located, items);
  }

  #methodsOf(items: readonly Located[]): ReadonlyMap<DocumentMethod, Located> {
    const found = new Map<DocumentMethod, Located>();
    for (const item of items) {
      for (const name of isPlainObject(item.value) ? Object.keys(item.value) : []) {
        const method = documentMethods.find((known) => known === name.toLowerCase());
        const located = method === undefined ? undefined : this.#context.opened.resolver.at(item, name);
        if (method !== undefined && located !== undefined && !found.has(method)) found.set(method, located);
      }
    }
    return found;
  }

  #read(method: DocumentMethod, path: string, located: Located, items: readonly Located[]): void {
    const operationId = textOf(located.value, 'operationId');
    const leaveOut = (reason: SkippedOperation['reason'], detail: string): unknown =>
      this.skipped.push(defined<SkippedOperation>({ method, path, operationId, reason, detail }));
    if (this.#seen.has(`${method} ${path}`))
      return void leaveOut('invalid', `${shortText(located.pointer, 200)}: the document has this method and path twice`);
    this.#seen.add(`${method} ${path}`);
    const notes: string[] = [];
    try {
      const operation = readOperation({ ...this.#context, located, items, note: (fault) => notes.push(fault) }, method, path);
      this.operations.push(notes.length === 0 ? operation : { ...operation, notes });
      for (const fault of notes) this.notes.add(fault, `${method.toUpperCase()} ${shortText(path, 80)}`);
    } catch (error) {
      if (!(error instanceof UnusableOperation)) throw error;
      leaveOut(error.reason, error.message);
    }
  }
}

function pathFault(path: string, item: unknown): string | undefined {
  if (path.length > maxPathLength) return `expected a path of at most ${maxPathLength} characters, received ${path.length}`;
  if (/^\/[a-z][a-z\d+.-]*:\/\//i.test(path)) return 'expected a path, received a URL';
  return isPlainObject(item) ? undefined : 'expected an object with operations';
}

function dialectOf(value: Readonly<Record<string, unknown>>): Dialect {
  const version = versionOf(value['openapi']);
  if (version === '') return '2.0';
  return /^3(\.0|$)/.test(version) ? '3.0' : '3.1';
}

function tagsOf(value: Readonly<Record<string, unknown>>): ReadonlyMap<string, string> {
  const list = Array.isArray(value['tags']) ? value['tags'] : [];
  return new Map(
    list.flatMap((tag) => {
      const [name, description] = [textOf(tag, 'name'), textOf(tag, 'description')];
      return name === undefined || description === undefined ? [] : [[name, description] as const];
    }),
  );
}
