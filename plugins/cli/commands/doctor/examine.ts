import path from 'node:path';
import { type CommandInvocation, type Kernel, type Logger, messageOf, type Plugin } from '../../../../kernel/index.ts';
import { StoreProbe } from '../../store-probe.ts';
import { checkApproval } from './checks/check-approval.ts';
import { checkClock } from './checks/check-clock.ts';
import { checkCommands } from './checks/check-commands.ts';
import { checkConfiguration, type KernelResult } from './checks/check-configuration.ts';
import { checkEnvironment } from './checks/check-environment.ts';
import { checkFiles } from './checks/check-files.ts';
import { checkNode } from './checks/check-node.ts';
import { checkPort } from './checks/check-port.ts';
import { checkProcesses } from './checks/check-processes.ts';
import { checkPrograms } from './checks/check-programs.ts';
import { checkSandbox } from './checks/check-sandbox.ts';
import { checkSecrets } from './checks/check-secrets.ts';
import { checkSources } from './checks/check-sources.ts';
import { checkStore } from './checks/check-store.ts';
import { checkTimeZones } from './checks/check-time-zones.ts';
import { checkTools } from './checks/check-tools.ts';
import { checkUnverifiedApproval } from './checks/check-unverified-approval.ts';
import type { Finding } from './checks/finding.ts';
import { type PluginRow, pluginRows } from './plugin-rows.ts';

export interface Diagnosis {
  readonly findings: readonly Finding[];
  /** Empty when the configuration cannot be used. */
  readonly plugins: readonly PluginRow[];
}

/** Time limit for a program that prints its version, in milliseconds. */
const versionTimeoutMs = 5000;

/** Discards log lines: the report says the same once. */
const silent: Logger = { error() {}, warn() {}, info() {}, debug() {} };

/** Runs all checks in parallel. A check that fails does not stop the others. */
export async function examine(invocation: Pick<CommandInvocation, 'createKernel' | 'configFile' | 'env' | 'program'>): Promise<Diagnosis> {
  const { configFile, env, program } = invocation;
  const store = new StoreProbe();
  const opened = await tryCreateKernel(invocation, store.plugin);
  const kernel = 'kernel' in opened ? opened.kernel : undefined;
  const { cwd, findings: lost } = workingFolder();
  const folder = configFile === undefined ? cwd : path.dirname(configFile);
  const own = [...program.slice(-1), ...(configFile === undefined ? [] : [configFile])];
  const withKernel = async (check: string, look: (kernel: Kernel) => Finding[] | Promise<Finding[]>): Promise<Finding[]> =>
    kernel === undefined ? [{ check, state: 'not checked', message: 'the configuration cannot be used' }] : look(kernel);
  const checks: readonly (readonly [string, () => Finding[] | Promise<Finding[]>])[] = [
    ['Node', () => [checkNode(process.versions.node)]],
    ['Programs', () => checkPrograms(kernel, { env, timeoutMs: versionTimeoutMs, ...(lost.length === 0 ? {} : { cwd }) })],
    ['Sandbox', async () => [await checkSandbox(kernel, env)]],
    ['Processes', async () => [await checkProcesses()]],
    ['Clock', async () => [await checkClock(Date.now(), own)]],
    ['Time zones', () => [checkTimeZones()]],
    ['Port', async () => [await checkPort(kernel)]],
    ['Logger', () => checkEnvironment(env)],
    ['Folder', () => lost],
    ['Configuration', () => [checkConfiguration(configFile, opened)]],
    ['Files', () => checkFiles(kernel, folder)],
    ['Store', () => (kernel === undefined ? [] : checkStore(kernel, store.state, env))],
    ['Tools', () => withKernel('Tools', (open) => checkTools(open, folder, cwd))],
    ['Source', () => (kernel === undefined ? [] : checkSources(kernel))],
    ['Commands', () => (kernel === undefined ? [] : checkCommands(kernel, env))],
    ['Secrets', () => withKernel('Secrets', (open) => checkSecrets(open, folder))],
    ['Approval', () => withKernel('Approval', (open) => [checkApproval(open), ...checkUnverifiedApproval(open)])],
  ];
  try {
    const findings = await Promise.all(checks.map(([check, look]) => runCheck(check, look)));
    return {
      findings: findings.flat(),
      plugins: kernel === undefined ? [] : pluginRows(kernel).filter(({ name }) => name !== store.plugin.name),
    };
  } finally {
    await kernel?.close().catch(() => {});
  }
}

async function tryCreateKernel({ createKernel }: Pick<CommandInvocation, 'createKernel'>, probe: Plugin): Promise<KernelResult> {
  try {
    return { kernel: await createKernel({}, (options) => ({ ...options, plugins: [...options.plugins, probe], logger: silent })) };
  } catch (failure) {
    return { failure };
  }
}

async function runCheck(check: string, look: () => Finding[] | Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await look();
  } catch (error) {
    return [{ check, state: 'not checked', message: messageOf(error) }];
  }
}

/** Returns the working directory; when it was deleted, the root folder and a finding. */
function workingFolder(): { readonly cwd: string; readonly findings: Finding[] } {
  try {
    return { cwd: process.cwd(), findings: [] };
  } catch (error) {
    const message = `the working directory is gone, or cannot be read (${(error as NodeJS.ErrnoException).code ?? messageOf(error)})`;
    const hint = 'Go to another folder (cd), or name one with --cwd.';
    return { cwd: path.parse(process.execPath).root, findings: [{ check: 'Folder', state: 'problem', message, hint }] };
  }
}
