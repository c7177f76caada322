import path from 'node:path';
import { type CommandInvocation, excerpt, ToolkitError } from '../../../../kernel/index.ts';
import { openapiPlugin } from '../../../shared/configuration/option-edit.ts';
import { type WrittenOption, writeOption } from '../../../shared/configuration/write-option.ts';
import { replaceFile } from '../../../shared/lock/plain-file.ts';
import { projectFolder } from '../../../shared/project/project-folder.ts';
import { reviewItems } from '../../../shared/scanner/review/review-items.ts';
import { servedPeers } from '../../../shared/scanner/review/served-peers.ts';
import { readTextIfThere } from '../../../shared/text/read-text.ts';
import { terminalText } from '../../../shared/text/visible-text.ts';
import { accept } from '../../accepted/accept.ts';
import { scannedItems } from '../../accepted/scanned-items.ts';
import { emptyReason } from '../../generate/empty-reason.ts';
import { isUrl } from '../../location.ts';
import type { DocumentSource } from '../../options.ts';
import { configuredSourcesOf } from '../configured-sources.ts';
import { sourceOf } from '../document-flags.ts';
import { findingsOf } from '../inspect/findings.ts';
import { type Preview, preview } from '../preview.ts';
import { proposeName } from '../propose-name.ts';
import { readDocument } from '../read-document.ts';
import { addedText } from './added-text.ts';
import { overlayStub } from './overlay-stub.ts';

interface AddFlags {
  readonly name?: string;
  readonly allowHost?: string;
  readonly gateWrites?: boolean;
  readonly json?: boolean;
}

/** Makes a document a source of the configuration, and accepts it as it is. */
export async function add(invocation: CommandInvocation): Promise<void> {
  const {
    arguments: [document = ''],
    flags,
    configFile,
  } = invocation;
  const { name: givenName, allowHost, gateWrites, json } = flags as AddFlags;
  const folder = projectFolder(configFile);
  const location = isUrl(document) ? document : pathIn(folder, document);
  const configured = await configuredSourcesOf(invocation);
  const known = Object.entries(configured).find(([name, source]) =>
    givenName === undefined ? source.document === location : name === givenName,
  );
  if (known !== undefined) {
    refuseOther(known, location);
    invocation.write(
      `The source "${known[0]}" is there already, and nothing was changed. "toolkit openapi diff ${known[0]}" compares it with its document.\n`,
    );
    return;
  }
  const read = await readDocument(invocation, document, process.cwd(), allowHost);
  const name = givenName ?? proposeName(read.text, document);
  const source: DocumentSource = {
    ...sourceOf(location, flags),
    overlay: `./${name}.overlay.yaml`,
    ...(gateWrites === true ? { gate: 'writes' } : {}),
  };
  const overlay = path.join(folder, `${name}.overlay.yaml`);
  const stub = await readTextIfThere(overlay);
  const text = stub ?? overlayStub(name);
  const shown = await preview(invocation, { ...read.texts, overlay: { location: overlay, text }, name, source, names: new Map() });
  try {
    refuseWithoutTools(shown, document);
    reviewItems(invocation, scannedItems(name, shown.loaded), { peers: servedPeers(shown.kernel.registry, name) });
    if (stub === undefined) await replaceFile(overlay, text);
    await accept(folder, name, source, shown.loaded);
    const written: WrittenOption = await writeOption(configFile, folder, { plugin: openapiPlugin, path: ['sources', name], value: source });
    await addedText(invocation, {
      findings: findingsOf(shown, name, location),
      folder,
      overlay,
      written,
      isStub: stub === undefined,
      isJson: json === true,
    });
  } finally {
    await shown.kernel.close();
  }
}

/** Returns a path as a configuration in this folder writes it. */
function pathIn(folder: string, document: string): string {
  const relative = path.relative(folder, path.resolve(document)).split(path.sep).join('/');
  return path.isAbsolute(relative) || relative.startsWith('../') ? relative : `./${relative}`;
}

function refuseOther([name, source]: readonly [string, DocumentSource], location: string): void {
  if (source.document === location) return;
  const message = `There is a source "${name}" already, for ${terminalText(excerpt(source.document))}. Choose another --name; for another version of that document, change "document" in the configuration and type: toolkit openapi update ${name}`;
  throw new ToolkitError('INVALID_PARAMETERS', message);
}

function refuseWithoutTools({ tools, problems, loaded }: Preview, document: string): void {
  if (tools.length > 0) return;
  const first = problems.find(({ severity }) => severity === 'error');
  const why = first === undefined ? (emptyReason(loaded) ?? 'none of its tools can be used') : excerpt(first.message);
  const isServer = loaded.generated.skipped.some(({ reason }) => reason === 'no server');
  const advice = isServer ? ' Name its address with --server https://…' : '';
  const message = `Nothing was written, because no operation of ${terminalText(excerpt(document))} becomes a tool: ${why.replace(/\.$/, '')}.${advice} See all reasons: toolkit openapi inspect ${terminalText(document)}`;
  throw new ToolkitError('CONFIG_INVALID', message);
}
