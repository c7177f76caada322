import path from 'node:path';
import { isPlainObject, type PluginEntry, ToolkitError } from '../../../kernel/index.ts';
import { type ApprovalGateOptions, approvalGate } from '../../approval-gate/index.ts';
import type { ClientParts } from '../../host-stdio/host-parts.ts';
import { loadPlugins } from '../config/toolkit-config.ts';
import type { ToolkitOptions } from '../toolkit.ts';

/** Options that JSON cannot express: they are passed as callbacks. */
const callbackNames = ['logger', 'onHITL', 'credentialsOf', 'silencesDebug'];

/** Returns the options of a toolkit or server, from a client's JSON options and its callbacks. Throws ToolkitError. */
export async function clientOptions(options: Readonly<Record<string, unknown>>, client: ClientParts): Promise<ToolkitOptions> {
  const misplacedOption = callbackNames.find((name) => Object.hasOwn(options, name));
  if (misplacedOption !== undefined) throw optionsError(`"${misplacedOption}" cannot be given as JSON. Name it among the callbacks`);
  const { plugins = [], approval, cwd = process.cwd(), ...rest } = options;
  if (!Array.isArray(plugins)) throw optionsError('"plugins" expected a list, as a YAML configuration has it');
  if (approval !== undefined && !isPlainObject(approval))
    throw optionsError('"approval" expected an object: the options of the approval gate');
  if (typeof cwd !== 'string') throw optionsError('"cwd" expected a text');
  const folder = path.resolve(cwd);
  const { onHITL, onApproval, credentialsOf, logger, plugin } = client;
  const asks = approval?.['mode'] === 'elicit' || approval?.['mode'] === 'strict';
  const entries: readonly PluginEntry[] = [
    ...(plugins.length === 0 ? [] : await loadPlugins(plugins, path.join(folder, 'options'))),
    ...(approval === undefined
      ? []
      : [approvalGate({ ...(approval as ApprovalGateOptions), ...(asks && onApproval ? { onApproval } : {}) })]),
    plugin(),
  ];
  return {
    ...rest,
    cwd: folder,
    plugins: entries,
    ...(onHITL === undefined ? {} : { onHITL }),
    ...(credentialsOf === undefined ? {} : { credentialsOf }),
    // Debug lines are sent only on request.
    ...(logger === undefined ? {} : { logger, logLevel: (rest['logLevel'] as ToolkitOptions['logLevel']) ?? 'info' }),
  };
}

function optionsError(problem: string): ToolkitError {
  return new ToolkitError('CONFIG_INVALID', `The options are wrong: ${problem}.`);
}
