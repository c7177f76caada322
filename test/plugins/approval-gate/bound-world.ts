import { existsSync } from 'node:fs';
import { chmod, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { Kernel, PluginEntry } from '../../../kernel/index.ts';
import { type ApprovalGateOptions, approvalGate, type GateRequest } from '../../../plugins/approval-gate/index.ts';
import { type StandardOptions, standard } from '../../../plugins/toolkit/standard.ts';
import { temporaryFolder } from '../../support/temporary.ts';
import { bareKernel } from '../../support/test-kernel.ts';
import { type Connected, connect } from '../mcp/support/client.ts';

/** Files of a tool folder: name to text, in which `%` stands for the folder. */
export type Files = Readonly<Record<string, string>>;

export interface World {
  readonly folder: string;
  readonly kernel: Kernel;
  /** Calls over MCP, as a model does. */
  readonly call: Connected['call'];
  /** Questions to the person. */
  readonly questions: string[];
  /** Requests to the host. */
  readonly requests: GateRequest[];
  write(files: Files): Promise<void>;
  /** The code that leaves a mark, and not what was approved, has run. */
  hasRun(): boolean;
}

export interface Setting {
  /** @default a new one */
  readonly folder?: string;
  readonly files?: Files;
  readonly gate: ApprovalGateOptions;
  readonly options?: Partial<StandardOptions>;
  readonly plugins?: readonly PluginEntry[];
  /** The attack while the person reads; then the person says yes. Without it the client cannot ask. */
  readonly meanwhile?: (world: World) => unknown;
  /** The person also says yes when asked once more about what has changed. @default false */
  readonly agreesAgain?: boolean;
}

/** A server with the tools of a folder, and a client over MCP whose person says yes. */
export async function boundWorld({
  files = {},
  gate,
  options = {},
  plugins = [],
  meanwhile,
  agreesAgain = false,
  ...more
}: Setting): Promise<World> {
  const folder = more.folder ?? (await temporaryFolder());
  const write = async (more: Files): Promise<void> => {
    for (const [name, text] of Object.entries(more)) {
      const file = path.join(folder, name);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, text.replaceAll('%', folder));
      await chmod(file, 0o755);
    }
  };
  await write(files);
  const requests: GateRequest[] = [];
  const onApproval = (request: GateRequest): undefined => void requests.push(request);
  const kernel = await bareKernel({
    cwd: folder,
    plugins: [
      standard({ includeCore: false, autoDiscover: false, toolPaths: ['.'], allowHosts: ['127.0.0.1'], ...options }),
      approvalGate({ ...(gate.mode === 'strict' ? { onApproval } : {}), ...gate }),
      ...plugins,
    ],
  });
  const { client, call } = await connect(kernel, { capabilities: meanwhile === undefined ? {} : { elicitation: {} } });
  const questions: string[] = [];
  const world: World = { folder, kernel, call, questions, requests, write, hasRun: () => existsSync(path.join(folder, 'mark')) };
  if (meanwhile !== undefined)
    client.setRequestHandler(ElicitRequestSchema, async ({ params }) => {
      questions.push(params.message);
      await meanwhile(world);
      return { action: 'accept', content: { approve: agreesAgain || !isAskedAgain(params.message) } };
    });
  return world;
}

/** True for the question about what has changed since the first one. */
export function isAskedAgain(message: string): boolean {
  return message.startsWith('Your answer is void, because things changed meanwhile.');
}
