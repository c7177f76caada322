import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { expect } from 'chai';
import type { ApprovalDetails, ApprovalRecord, CallRequest, Kernel, PluginEntry } from '../../../kernel/index.ts';
import { approvalGate } from '../../../plugins/approval-gate/index.ts';
import { approvals } from '../../../plugins/approvals/index.ts';
import { auditTrail } from '../../../plugins/audit-trail/index.ts';
import { storeLibsql } from '../../../plugins/store-libsql/index.ts';
import { standard } from '../../../plugins/toolkit/standard.ts';
import { rejection } from '../../support/rejection.ts';
import { temporaryFolder, writeFiles } from '../../support/temporary.ts';
import { bareKernel } from '../../support/test-kernel.ts';
import { recordsIn, type TrailRecord } from '../audit-trail/audited.ts';

export interface HeldWorldOptions {
  /** Options of `approvals()`. */
  readonly options?: Parameters<typeof approvals>[0];
  /** Files beside those of the tool: name to text. */
  readonly files?: Readonly<Record<string, string>>;
  readonly plugins?: readonly PluginEntry[];
  /** The store, over the folder of the world. @default a file in it */
  readonly store?: (folder: string) => PluginEntry;
}

export const by = { way: 'library', name: 'ann' } as const;

/** The definition of `pay`. */
export function definitionOf({ description = 'Pays.' }: { readonly description?: string } = {}): string {
  return `
name: pay
description: ${description}
parameters: { amount: { type: number, required: true }, to: { type: object, additionalProperties: true } }
requires_approval: true
execution: { type: function, code: ./pay.mjs }
`;
}

/** The code of `pay`, which tells its process of each run. */
export const code = `export default ({ amount }) => {
  globalThis.runsOfPay?.push(amount);
  return { paid: amount };
};
`;

/** The amounts of all runs of `pay` in this process. The tools' own modules see nothing of the test but this. */
const runs: number[] = [];
Object.assign(globalThis, { runsOfPay: runs });

/** A kernel over a store in a file, with the tool `pay` that asks a person, and an audit trail. No client of it can be asked. */
export class HeldWorld {
  readonly folder: string;
  readonly kernel: Kernel;
  readonly #options: HeldWorldOptions;

  private constructor(folder: string, kernel: Kernel, options: HeldWorldOptions) {
    this.folder = folder;
    this.kernel = kernel;
    this.#options = options;
  }

  static async open(options: HeldWorldOptions = {}): Promise<HeldWorld> {
    runs.length = 0;
    const folder = await temporaryFolder({ 'tools/pay.yaml': definitionOf(), 'tools/pay.mjs': code, ...options.files });
    return new HeldWorld(folder, await kernelOver(folder, options), options);
  }

  /** Opens a further kernel over the same folder and store, as another process would. */
  async another(): Promise<HeldWorld> {
    return new HeldWorld(this.folder, await kernelOver(this.folder, this.#options), this.#options);
  }

  /** The amounts of all runs of `pay`. */
  get runs(): readonly number[] {
    return runs;
  }

  /** Calls `pay` as a model does. */
  pay(parameters: Readonly<Record<string, unknown>>, more: Partial<CallRequest> = {}): Promise<unknown> {
    return this.kernel.execute('pay', parameters, { caller: 'agent', origin: 'model', ...more });
  }

  /** Calls `pay`, which must be held. Resolves to the id of its record. */
  async held(parameters: Readonly<Record<string, unknown>>, more: Partial<CallRequest> = {}): Promise<string> {
    const { details } = await rejection(this.pay(parameters, more), 'APPROVAL_REQUIRED');
    expect(details['approval']).to.be.a('string');
    return String(details['approval']);
  }

  decide(id: string, approve: boolean): Promise<ApprovalRecord> {
    return this.kernel.approvals.decide(id, { approve, by });
  }

  show(id: string): Promise<ApprovalDetails> {
    return this.kernel.approvals.get(id);
  }

  /** Writes files, and has the kernel read its definitions and rules again. */
  async change(files: Readonly<Record<string, string>>): Promise<void> {
    await writeFiles(this.folder, files);
    await this.kernel.reload({ code: true });
  }

  /** Returns the records of the trail, of all kernels. */
  async trail(): Promise<readonly TrailRecord[]> {
    const folder = path.join(this.folder, 'trail');
    const files = (await readdir(folder)).filter((name) => /^\d.*\.jsonl$/.test(name));
    return (await Promise.all(files.map((name) => recordsIn(path.join(folder, name))))).flat();
  }
}

async function kernelOver(folder: string, { options = {}, plugins = [], store = inFile }: HeldWorldOptions): Promise<Kernel> {
  return bareKernel({
    cwd: folder,
    plugins: [
      standard({ includeCore: false, autoDiscover: false, toolPaths: ['tools'] }),
      approvalGate({ mode: 'elicit' }),
      store(folder),
      auditTrail({ path: 'trail/' }),
      approvals(options),
      ...plugins,
    ],
  });
}

function inFile(folder: string): PluginEntry {
  return storeLibsql({ path: path.join(folder, 'state.db') });
}
