import path from 'node:path';
import { type CommandInvocation, ToolkitError } from '../../../kernel/index.ts';
import { documentsSection } from '../../shared/lock/documents-section.ts';
import { readSection } from '../../shared/lock/lock-file.ts';
import { projectFolder } from '../../shared/project/project-folder.ts';
import { entryOf } from '../accepted/accept.ts';
import { type AcceptedSource, acceptedSource } from '../accepted/accepted-source.ts';
import { compareDocuments, type DocumentDifferences, isSame } from '../compare/compare-documents.ts';
import { loadSource } from '../load-source.ts';
import type { LoadedSource } from '../loaded-source.ts';
import type { DocumentSource } from '../options.ts';
import { configuredSource } from './configured-sources.ts';
import { readDocument } from './read-document.ts';

/** A source before and after an update. */
export interface ComparedSource {
  readonly name: string;
  readonly folder: string;
  readonly source: DocumentSource;
  /** The document as it is now. */
  readonly loaded: LoadedSource;
  /** @default nothing was accepted before, or the accepted copy cannot be used */
  readonly differences?: DocumentDifferences;
  /** True when an update would write nothing: the texts are the accepted ones. */
  readonly isAccepted: boolean;
  /** The reason why the accepted copy cannot be used. */
  readonly copyError?: ToolkitError;
  /** True when tools differ. */
  readonly differs: boolean;
}

/**
 * Compares the present document of a source, or another one, with what was accepted of it. Fetches a URL. Accepted names of tools stay. Throws
 * INVALID_PARAMETERS for an unknown source, CONFIG_INVALID for a document or a copy that cannot be used.
 */
export async function compareSource(invocation: CommandInvocation, name: string, other?: string): Promise<ComparedSource> {
  const folder = projectFolder(invocation.configFile);
  const configured = await configuredSource(invocation, name);
  const allowHost = invocation.flags['allowHost'] as string | undefined;
  const read = await readDocument(invocation, other ?? configured.document, other === undefined ? folder : process.cwd(), allowHost);
  const entry = (await readSection(folder, documentsSection)).get(name);
  const names = new Map([...(entry?.operations ?? [])].map(([key, { tool }]) => [key, tool]));
  const overlay = configured.overlay === undefined ? {} : { overlay: path.resolve(folder, configured.overlay) };
  const source = other === undefined ? configured : { ...configured, document: other };
  const loaded = await loadSource({ ...read.texts, ...overlay, name, source, names });
  if (entry === undefined) return { name, folder, source, loaded, isAccepted: false, differs: true };
  let accepted: AcceptedSource;
  try {
    accepted = await acceptedSource(name, configured, folder);
  } catch (error) {
    if (!ToolkitError.is(error)) throw error;
    return { name, folder, source, loaded, copyError: error, isAccepted: false, differs: true };
  }
  const before = await loadSource({ ...accepted.texts, name, source: configured, names });
  // Operations that the configuration chose only later were not accepted.
  const acceptedTools = {
    ...before.generated,
    tools: before.generated.tools.filter(({ operation }) => entry.operations.has(`${operation.method} ${operation.path}`)),
  };
  const now = entryOf(folder, source, loaded);
  // The configuration may name another server since: only the hosts of the entry were accepted.
  const newHosts = now.hosts.filter((host) => !entry.hosts.includes(host));
  const differences = { ...compareDocuments(acceptedTools, loaded.generated), newHosts };
  return {
    name,
    folder,
    source,
    loaded,
    differences,
    isAccepted: other === undefined ? now.digest === entry.digest && now.document === entry.document : isSame(differences),
    differs: !isSame(differences),
  };
}
