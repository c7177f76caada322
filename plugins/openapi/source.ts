import path from 'node:path';
import type { Source, SourceCache } from '../../kernel/index.ts';
import { accountTokenOf } from './account-token.ts';
import type { LoadSource } from './loaded-source.ts';
import type { DocumentSource } from './options.ts';

export interface SourceSettings {
  readonly name: string;
  readonly source: DocumentSource;
  /** The folder of the configuration, in which `toolkit.lock` is. */
  readonly folder: string;
  /** Keeps what was listed for the next start. @default every start lists anew */
  readonly cache?: SourceCache;
  /** @default the tools that generate/ makes of the document */
  readonly load?: LoadSource;
}

/** Time limit of a listing, in milliseconds: documents have up to thousands of operations. */
const timeoutMs = 60_000;

/**
 * Makes the source of a document. Where `toolkit.lock` has an entry, it lists what was accepted. A local document without an entry is like a
 * definition of the operator: it holds as it is saved.
 */
export function documentSource(settings: SourceSettings): Source {
  const { name, source, folder } = settings;
  /** Files that the last listing depended on. */
  let files = watchedFiles(settings);
  let onFiles: () => void = () => {};
  return {
    timeoutMs,
    // The lock decides, or the operator who saves the document.
    trust: 'all',
    executionTypes: ['http'],
    ...(source.account === undefined ? {} : { account: source.account }),
    urls: source.server === undefined ? [] : [source.server],
    ...(settings.cache === undefined ? {} : { cache: settings.cache }),
    async list({ sink, signal, account }) {
      const { acceptedSource } = await import('./accepted/accepted-source.ts');
      const accepted = await acceptedSource(name, source, folder);
      const { texts, entry, differences } = accepted;
      const accountToken = accountTokenOf(account);
      const { listingVersion } = await import('./accepted/listing-version.ts');
      const version = await listingVersion(accepted, name, source, accountToken);
      if (version !== undefined && sink.useCached(version)) {
        onFiles();
        return;
      }
      const names = new Map([...(entry?.operations ?? [])].map(([key, { tool }]) => [key, tool]));
      const load = settings.load ?? (await import('./load-source.ts')).loadSource;
      const loaded = await load({ ...texts, name, source, names, signal, ...(accountToken === undefined ? {} : { accountToken }) });
      if (entry === undefined) files = [...new Set([...watchedFiles(settings), ...loaded.texts.keys()])];
      onFiles();
      for (const difference of differences)
        sink.addProblem({ severity: 'warning', code: 'APPROVAL_REQUIRED', message: pending(difference, name) });
      const { listTools } = await import('./accepted/list-tools.ts');
      listTools(sink, loaded, entry, name);
    },
    async watch(changed, { logger }) {
      const { watchFolders } = await import('../shared/folder-watch/watch-folders.ts');
      let watched = '';
      let close = (): void => {};
      onFiles = () => {
        if (watched === files.join('\0')) return;
        watched = files.join('\0');
        close();
        const onError = (message: string): void => logger.warn(`the files of the source "${name}" are not watched: ${message}`);
        close = watchFolders(files, { onChange: () => changed(), onError });
      };
      onFiles();
      return () => close();
    },
  };
}

function watchedFiles({ name, source: { document, overlay }, folder }: SourceSettings): readonly string[] {
  const named = [document, overlay].filter((file) => file !== undefined && !/^https?:/i.test(file)) as string[];
  return ['toolkit.lock', path.join('toolkit.lock.d', `${name}.json`), ...named].map((file) => path.resolve(folder, file));
}

function pending(difference: string, name: string): string {
  return `${difference}: its tools stay as they were accepted. See "toolkit openapi diff ${name}", then "toolkit openapi update ${name}"`;
}
