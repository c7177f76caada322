import type { SourceSink } from '../../../kernel/index.ts';
import type { DocumentEntry } from '../../shared/lock/documents-section.ts';
import { emptyReason } from '../generate/empty-reason.ts';
import type { GeneratedTool } from '../generate/generated.ts';
import { keyOfOperation } from '../generate/operation-key.ts';
import type { LoadedSource } from '../loaded-source.ts';
import { hostsOfTool } from './tool-hosts.ts';

/** Maximum number of names in a message. */
const maxNames = 5;

/** Adds the tools of a document to a listing. With an entry of the lock: only accepted operations, which send only to accepted hosts. */
export function listTools(sink: SourceSink, loaded: LoadedSource, entry: DocumentEntry | undefined, source: string): void {
  const { generated } = loaded;
  sink.addProvider(generated.provider);
  const why = emptyReason(loaded);
  if (why !== undefined)
    sink.addProblem({
      severity: 'warning',
      code: 'CONFIG_INVALID',
      message: `no tool is made: ${why}. Change the source, or its document`,
    });
  const unaccepted: GeneratedTool[] = [];
  const elsewhere: GeneratedTool[] = [];
  for (const tool of generated.tools) {
    const accepted = entry?.operations.get(keyOfOperation(tool.operation));
    if (entry !== undefined && accepted === undefined) unaccepted.push(tool);
    else if (entry !== undefined && hostsOfTool(tool, generated).some((host) => !entry.hosts.includes(host))) elsewhere.push(tool);
    else sink.addTool(accepted === undefined ? tool.definition : { ...tool.definition, name: accepted.tool });
  }
  const withheld = (tools: readonly GeneratedTool[], why: string): void => {
    if (tools.length === 0) return;
    const names = tools.slice(0, maxNames).map(({ definition }) => String(definition['name']));
    const more = tools.length > maxNames ? ` and ${tools.length - maxNames} more` : '';
    const message = `${names.join(', ')}${more}: ${why}. Accept that with "toolkit openapi update ${source}"`;
    sink.addProblem({ severity: 'warning', code: 'APPROVAL_REQUIRED', message });
  };
  withheld(unaccepted, 'not among the accepted operations');
  withheld(elsewhere, 'would send to a host that was not accepted');
}
